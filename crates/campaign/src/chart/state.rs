//! Sheets of state: Vienna, negotiation, administration, ultimatum, weather.

use rulebook::{Lang, phrase::campaign as phrase, rule};

use super::{Sheet, Table, signed, singles, word};
use crate::tables::{
    self, AdminColumn, Overture, SupplySource, UltimatumResult, ViennaMoraleCondition as Condition,
};
use crate::terms::{Month, Weather};

pub(super) fn vienna(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let events = [
        (Condition::FrenchCaptureOlmutz, phrase::WORD_OLMUTZ),
        (Condition::AustroRussianCaptureBrunn, phrase::WORD_BRUNN),
        (Condition::AustroRussianCapturePohrlitz, phrase::WORD_POHRLITZ),
        (Condition::NapoleonEliminated, phrase::WORD_NAPOLEON),
        (Condition::CriticalBattleWonByAustroRussian, phrase::WORD_CRITICAL_ALLIED),
        (Condition::CriticalBattleWonByFrench, phrase::WORD_CRITICAL_FRENCH),
    ];
    let table = Table::new(None)
        .head(&singles([say(phrase::HEAD_EVENT), say(phrase::HEAD_CHANGE)]))
        .rows(events.map(|(name, event)| (say(event), vec![signed(tables::morale_change(name))])));
    Sheet {
        name: "vienna",
        title: phrase::CHART_VIENNA,
        body: table,
        notes: vec![
            rule!(CA_VIENNA_MORALE_04),
            rule!(CA_VIENNA_MORALE_06),
            rule!(CA_VIENNA_MORALE_08),
            rule!(CA_R30),
        ],
    }
}

pub(super) fn negotiation(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let mut head = singles([say(phrase::HEAD_DICE), "−5, −4".to_owned()]);
    head.extend(singles((-3..=3).map(signed)));
    let table = Table::new(Some(say(phrase::WORD_LEGEND_NEGOTIATION)))
        .head(&[(String::new(), 1), (say(phrase::HEAD_MORALE), 8)])
        .head(&head)
        .rows((2..=12).map(|dice| {
            let cells = (-4..=3).map(|morale| match tables::negotiation(dice, morale) {
                Overture::Refused => "•".to_owned(),
                Overture::Again => "R/A".to_owned(),
                Overture::Star => "★".to_owned(),
                Overture::Talks(turns) => format!("N{turns}"),
            });
            (dice.to_string(), cells.collect())
        }));
    Sheet {
        name: "negotiation",
        title: phrase::CHART_NEGOTIATION,
        body: table,
        notes: vec![
            rule!(CA_NEGOTIATION_02),
            rule!(CA_NEGOTIATION_05),
            rule!(CA_NEGOTIATION_06),
            rule!(CA_NEGOTIATION_07),
            rule!(CA_R31),
        ],
    }
}

pub(super) fn admin(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let column_name = |column: Option<AdminColumn>| match column {
        Some(AdminColumn::Near) => say(phrase::HEAD_NEAR),
        Some(AdminColumn::Far) => say(phrase::HEAD_FAR),
        Some(AdminColumn::FarMinus) => say(phrase::HEAD_FAR_MINUS),
        None => "–".to_owned(),
    };
    let sources = [
        (SupplySource::Vienna2854, phrase::WORD_VIENNA),
        (SupplySource::Krems1154, phrase::WORD_KREMS),
        (SupplySource::Any, phrase::WORD_ANY_SOURCE),
    ];
    let columns = Table::new(None)
        .head(&[(say(phrase::HEAD_SOURCE), 1), (say(phrase::HEAD_DISTANCE), 3)])
        .head(&singles([
            say(phrase::HEAD_COLUMN_USED),
            "0–20".to_owned(),
            "21–40".to_owned(),
            "41+".to_owned(),
        ]))
        .rows(sources.map(|(source, name)| {
            let cells = [20, 40, 41].map(|distance| column_name(tables::admin_column(source, distance)));
            (say(name), cells.to_vec())
        }));
    let mut head = singles([say(phrase::HEAD_DICE)]);
    head.extend(singles((2..=12).map(|dice| dice.to_string())));
    let points = Table::new(None).head(&head).rows(
        [AdminColumn::Near, AdminColumn::Far, AdminColumn::FarMinus].map(|column| {
            let cells = (2..=12).map(|dice| tables::admin_points(column, dice).to_string());
            (column_name(Some(column)), cells.collect())
        }),
    );
    Sheet {
        name: "admin",
        title: phrase::CHART_ADMIN,
        body: format!("{columns}{points}"),
        notes: vec![
            rule!(CA_ADMIN_02),
            rule!(CA_ADMIN_06),
            rule!(CA_ADMIN_07),
            rule!(CA_R13),
            rule!(CA_R14),
            rule!(CA_R16),
        ],
    }
}

pub(super) fn ultimatum(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let table = Table::new(None).head(&singles([say(phrase::HEAD_DIE), say(phrase::HEAD_RESULT)])).rows(
        (-1..=6).map(|die| {
            let result = match tables::ultimatum(die) {
                UltimatumResult::PrussianUltimatum => phrase::WORD_ULTIMATUM,
                UltimatumResult::PrussiaLeavesCoalition => phrase::WORD_PRUSSIA_LEAVES,
                UltimatumResult::RollAgain => phrase::WORD_ROLL_AGAIN,
            };
            let shown = if die < 0 { signed(die) } else { die.to_string() };
            (shown, vec![say(result)])
        }),
    );
    Sheet {
        name: "ultimatum",
        title: phrase::CHART_ULTIMATUM,
        body: table,
        notes: vec![rule!(CA_ULTIMATUM_02), rule!(CA_ULTIMATUM_06), rule!(CA_R32)],
    }
}

pub(super) fn weather(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let mut head = singles([say(phrase::HEAD_MONTH)]);
    head.extend(singles((0..=7).map(|die| die.to_string())));
    let months = [(Month::November, phrase::WORD_NOVEMBER), (Month::December, phrase::WORD_DECEMBER)];
    let table = Table::new(Some(say(phrase::WORD_FOG))).head(&head).rows(months.map(|(month, name)| {
        let cells = (0..=7).map(|die| {
            let (weather, fog) = tables::weather(month, die);
            let sky = say(match weather {
                Weather::Frost => phrase::WORD_FROST,
                Weather::Snow => phrase::WORD_SNOW,
                Weather::Mud => phrase::WORD_MUD,
                Weather::Rain | Weather::RainMud => phrase::WORD_RAIN,
                Weather::Clear => phrase::WORD_CLEAR_SKY,
            });
            if fog { format!("<b>{sky}</b>") } else { sky }
        });
        (say(name), cells.collect())
    }));
    Sheet {
        name: "weather",
        title: phrase::CHART_WEATHER,
        body: table,
        notes: vec![
            rule!(CA_WEATHER_03),
            rule!(CA_WEATHER_04),
            rule!(CA_WEATHER_05),
            rule!(CA_WEATHER_06),
            rule!(CA_WEATHER_07),
            rule!(CA_WEATHER_08),
            rule!(CA_WEATHER_09),
            rule!(CA_R19),
            rule!(CA_TERRAIN_20),
        ],
    }
}
