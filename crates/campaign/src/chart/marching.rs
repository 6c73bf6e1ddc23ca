//! Sheets of the march: terrain, water, attrition, bridges, communications.

use kernel::MovementPoints;
use rulebook::{Lang, phrase::campaign as phrase, rule};

use super::{Sheet, Table, number, singles, word};
use crate::tables::{self, ApColumn, BridgesBridge, Line, SideCost, SideLine};
use crate::terms::{Army, Hex, Side};

const HEXES: [(Hex, kernel::Phrase); 8] = [
    (Hex::Clear, phrase::WORD_CLEAR),
    (Hex::Mountain, phrase::WORD_MOUNTAIN),
    (Hex::Forest, phrase::WORD_FOREST),
    (Hex::Hill, phrase::WORD_HILL),
    (Hex::WoodedHill, phrase::WORD_WOODED_HILL),
    (Hex::Town, phrase::WORD_TOWN),
    (Hex::Depot, phrase::WORD_DEPOT),
    (Hex::Citadel, phrase::WORD_CITADEL),
];

const SIDES: [(Side, kernel::Phrase); 6] = [
    (Side::Lake, phrase::WORD_LAKE),
    (Side::PrimaryRiver, phrase::WORD_PRIMARY_RIVER),
    (Side::SecondaryRiver, phrase::WORD_SECONDARY_RIVER),
    (Side::PrimaryBridge, phrase::WORD_PRIMARY_BRIDGE),
    (Side::Pontoon, phrase::WORD_PONTOON),
    (Side::SecondaryBridge, phrase::WORD_SECONDARY_BRIDGE),
];

fn times(hundredths: i32, lang: Lang) -> String {
    if hundredths == 100 {
        return "×1".to_owned();
    }
    format!("×{}", number(kernel::Metres::hundredths(hundredths), lang))
}

fn points(cost: MovementPoints, lang: Lang) -> String {
    number(cost, lang)
}

pub(super) fn terrain(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let other = say(phrase::WORD_OTHER_TERRAIN);
    let or_other = |value: Option<String>| value.unwrap_or_else(|| other.clone());
    let yes_no = |yes: bool| say(if yes { phrase::WORD_YES } else { phrase::WORD_NO });
    let table = Table::new(None)
        .head(&singles([
            say(phrase::HEAD_HEX),
            say(phrase::HEAD_INFANTRY),
            say(phrase::HEAD_CAVALRY),
            say(phrase::HEAD_FORAGE),
            say(phrase::HEAD_LINE),
            say(phrase::HEAD_ATTACK_INFANTRY),
            say(phrase::HEAD_ATTACK_CAVALRY),
            say(phrase::HEAD_ATTACK_ARTILLERY),
            say(phrase::HEAD_LIMIT),
            say(phrase::HEAD_DEFENDER),
            say(phrase::HEAD_PITCHED),
        ]))
        .rows(HEXES.map(|(hex, name)| {
            let row = tables::hex(hex);
            let line = row.line.map(|line| if line == Line::A { "A".to_owned() } else { "NA".to_owned() });
            let limit = row.limit.map(|limit| limit.to_string());
            let defender = match row.defender_limit {
                Some(limit) => format!("×{} ({limit} SP)", row.defender_factor),
                None => format!("×{}", row.defender_factor),
            };
            let cells = vec![
                or_other(row.infantry.map(|cost| points(cost, lang))),
                or_other(row.cavalry.map(|cost| points(cost, lang))),
                number(kernel::Metres::hundredths(row.forage), lang),
                or_other(line),
                or_other(row.infantry_factor.map(|factor| times(factor, lang))),
                or_other(row.cavalry_factor.map(|factor| times(factor, lang))),
                or_other(row.artillery.map(yes_no)),
                limit.unwrap_or_else(|| if hex == Hex::Town { other.clone() } else { "–".to_owned() }),
                defender,
                yes_no(row.pitched),
            ];
            (say(name), cells)
        }));
    Sheet {
        name: "terrain",
        title: phrase::CHART_TERRAIN,
        body: table,
        notes: vec![
            rule!(CA_TERRAIN_05),
            rule!(CA_TERRAIN_07),
            rule!(CA_TERRAIN_08),
            rule!(CA_TERRAIN_11),
            rule!(CA_TERRAIN_12),
            rule!(CA_TERRAIN_15),
            rule!(CA_TERRAIN_16),
            rule!(CA_TERRAIN_34),
            rule!(CA_TERRAIN_35),
            rule!(CA_TERRAIN_36),
            rule!(CA_TERRAIN_37),
            rule!(CA_R03),
            rule!(CA_R46),
        ],
    }
}

pub(super) fn hexsides(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let roads = [
        (phrase::WORD_PRIMARY_ROAD, tables::primary_road()),
        (phrase::WORD_SECONDARY_ROAD, tables::secondary_road()),
    ];
    let mut rows: Vec<(String, Vec<String>)> = roads
        .into_iter()
        .map(|(name, cost)| {
            let cells = vec![
                points(cost, lang),
                "NA".to_owned(),
                "×1".to_owned(),
                say(phrase::WORD_DUE),
                "–".to_owned(),
                points(cost, lang),
            ];
            (say(name), cells)
        })
        .collect();
    for (side, name) in SIDES {
        let Some(row) = tables::side(side) else { continue };
        let cost = match row.cost {
            SideCost::Add(cost) => format!("+{}", points(cost, lang)),
            SideCost::Forbidden => say(phrase::WORD_FORBIDDEN),
            SideCost::BridgeOnly => say(phrase::WORD_BRIDGE_ONLY),
        };
        let line = match row.line {
            SideLine::Line(Line::A) => "A".to_owned(),
            SideLine::Line(Line::Na) => "NA".to_owned(),
            SideLine::Forbidden => say(phrase::WORD_FORBIDDEN),
            SideLine::BridgeOnly => say(phrase::WORD_BRIDGE_ONLY),
        };
        let losses = match (side, row.doubles) {
            (Side::Pontoon, _) => say(phrase::WORD_AS_BRIDGE),
            (_, true) => "×2".to_owned(),
            (_, false) => "×1".to_owned(),
        };
        let duty = if row.counterattack_optional { phrase::WORD_OPTIONAL } else { phrase::WORD_DUE };
        let frost = if row.freezes { say(phrase::WORD_SECONDARY_RIVER) } else { "–".to_owned() };
        let line_cost =
            row.communication.map_or_else(|| cost.clone(), |cost| format!("+{}", points(cost, lang)));
        rows.push((say(name), vec![cost, line, losses, say(duty), frost, line_cost]));
    }
    let leaving = format!("+{} {}", points(tables::leaving_zoc(), lang), say(phrase::WORD_ON_EXIT));
    let dash = || "–".to_owned();
    rows.push((
        say(phrase::WORD_ENEMY_ZOC),
        vec![leaving, dash(), "×2".to_owned(), say(phrase::WORD_DUE), dash(), dash()],
    ));
    let table = Table::new(None)
        .head(&singles([
            say(phrase::HEAD_HEXSIDE),
            format!("{} = {}", say(phrase::HEAD_INFANTRY), say(phrase::HEAD_CAVALRY)),
            say(phrase::HEAD_LINE),
            say(phrase::HEAD_PURSUIT_LOSSES),
            say(phrase::HEAD_COUNTERATTACK),
            say(phrase::HEAD_FROST),
            say(phrase::HEAD_COMMUNICATION),
        ]))
        .rows(rows);
    Sheet {
        name: "hexsides",
        title: phrase::CHART_HEXSIDES,
        body: table,
        notes: vec![
            rule!(CA_TERRAIN_17),
            rule!(CA_TERRAIN_20),
            rule!(CA_TERRAIN_22),
            rule!(CA_TERRAIN_23),
            rule!(CA_TERRAIN_26),
            rule!(CA_TERRAIN_29),
            rule!(CA_TERRAIN_30),
            rule!(CA_TERRAIN_31),
            rule!(CA_TERRAIN_33),
            rule!(CA_TERRAIN_38),
            rule!(CA_TERRAIN_39),
            rule!(CA_TERRAIN_40),
        ],
    }
}

const AP_COLUMNS: [ApColumn; 5] =
    [ApColumn::ElevenPlus, ApColumn::SevenToTen, ApColumn::FourToSix, ApColumn::OneToThree, ApColumn::Zero];

pub(super) fn attrition(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let mut head = singles([say(phrase::HEAD_ROW)]);
    head.extend(singles(AP_COLUMNS.map(ApColumn::printed)));
    head.extend(singles((1..=10).map(|column| column.to_string())));
    let losses = Table::new(None)
        .head(&[(String::new(), 1), (say(phrase::HEAD_SIZE), 5), (say(phrase::HEAD_LOSS), 10)])
        .head(&head)
        .rows((1..=11).map(|row| {
            let sizes = AP_COLUMNS.iter().map(|&column| {
                tables::size_bands(column)
                    .iter()
                    .find(|band| band.2 == row)
                    .map_or_else(String::new, |(low, high, _)| format!("{low}–{high}"))
            });
            let lost = (1..=10).map(|column| tables::attrition_loss(row, column).to_string());
            (row.to_string(), sizes.chain(lost).collect())
        }));
    let mut head = singles([say(phrase::HEAD_MARCH)]);
    head.extend(singles(["0–2", "3–4", "5–6", "7–8", "9–10", "11+"]));
    let columns = Table::new(Some(say(phrase::HEAD_COLUMN))).head(&head).rows(
        tables::distance_bands().into_iter().enumerate().map(|(band, name)| {
            let cells = [0, 3, 5, 7, 9, 11].map(|die| tables::attrition_column(band, die).to_string());
            (number(name, lang), cells.to_vec())
        }),
    );
    Sheet {
        name: "attrition",
        title: phrase::CHART_ATTRITION,
        body: format!("{losses}{columns}"),
        notes: vec![
            rule!(CA_ATTRITION_10),
            rule!(CA_ATTRITION_14),
            rule!(CA_ATTRITION_15),
            rule!(CA_ATTRITION_16),
            rule!(CA_ATTRITION_17),
            rule!(CA_ATTRITION_18),
            rule!(CA_ATTRITION_19),
            rule!(CA_ATTRITION_20),
            rule!(CA_ATTRITION_05),
            rule!(CA_ATTRITION_07),
            rule!(CA_ATTRITION_08),
            rule!(CA_ATTRITION_09),
        ],
    }
}

pub(super) fn bridges(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let no = say(phrase::WORD_NO);
    let by = |cost: String, all_cavalry: bool| {
        if all_cavalry {
            cost
        } else {
            format!("{cost} <small>{}</small>", say(phrase::WORD_NOT_ALL_CAVALRY))
        }
    };
    let kinds = [
        (BridgesBridge::PrimaryRiver, phrase::WORD_PRIMARY_BRIDGE),
        (BridgesBridge::SecondaryRiver, phrase::WORD_SECONDARY_BRIDGE),
        (BridgesBridge::Pontoon, phrase::WORD_PONTOON),
    ];
    let rows = kinds.into_iter().map(|(bridge, called)| {
        let row = tables::bridge(bridge);
        let destroy = if row.destroy_allowed { say(phrase::WORD_YES) } else { no.clone() };
        let capture = match row.capture_mp {
            Some(cost) if row.capture_allowed => {
                by(cost.to_owned(), row.capture_by_all_cavalry.unwrap_or(true))
            }
            _ => no.clone(),
        };
        let cells = vec![
            say(phrase::WORD_UNLIMITED),
            by(row.damage_mp.to_string(), row.damage_by_all_cavalry),
            destroy,
            by(row.repair_mp.to_string(), row.repair_by_all_cavalry),
            capture,
        ];
        (say(called), cells)
    });
    let table = Table::new(None)
        .head(&singles([
            say(phrase::HEAD_BRIDGE),
            say(phrase::HEAD_CAPACITY),
            say(phrase::HEAD_DAMAGE),
            say(phrase::HEAD_DESTROY),
            say(phrase::HEAD_REPAIR),
            say(phrase::HEAD_CAPTURE),
        ]))
        .rows(rows);
    Sheet {
        name: "bridges",
        title: phrase::CHART_BRIDGES,
        body: table,
        notes: vec![
            rule!(CA_BRIDGES_11),
            rule!(CA_BRIDGES_12),
            rule!(CA_BRIDGES_13),
            rule!(CA_BRIDGES_14),
            rule!(CA_BRIDGES_15),
            rule!(CA_R33),
        ],
    }
}

pub(super) fn communications(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let armies = [(Army::AustroRussian, phrase::WORD_AUSTRO_RUSSIAN), (Army::French, phrase::WORD_FRENCH)];
    let table = Table::new(None)
        .head(&singles([
            say(phrase::HEAD_ARMY),
            say(phrase::HEAD_DISPATCH),
            say(phrase::HEAD_SUPPLY),
            say(phrase::HEAD_SOURCES),
        ]))
        .rows(armies.map(|(army, name)| {
            let row = tables::communications(army);
            let unit = if lang == Lang::Fr { "PM" } else { "MP" };
            let cells = vec![
                format!("{} {unit}", points(row.dispatch, lang)),
                format!("{} {unit}", points(row.supply, lang)),
                row.sources.join(" · "),
            ];
            (say(name), cells)
        }));
    Sheet {
        name: "communications",
        title: phrase::CHART_COMMUNICATIONS,
        body: table,
        notes: vec![rule!(CA_R42), rule!(CA_R41), rule!(CA_TERRAIN_31)],
    }
}
