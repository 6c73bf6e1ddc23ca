//! Sheets of the battle: artillery, combat, initiative, pursuit, cavalry.

use rulebook::{Lang, phrase::campaign as phrase, rule};

use super::{Sheet, Table, number, signed, singles, word};
use crate::tables::{self, Line, Superior};
use crate::terms::Party;

pub(super) fn artillery(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let mut head = singles([say(phrase::HEAD_DIE)]);
    head.extend(singles(["1", "2–3", "4–5", "6–7", "8+"]));
    let table = Table::new(None).head(&[(String::new(), 1), (say(phrase::HEAD_GUNS), 5)]).head(&head).rows(
        (0..=6).map(|die| {
            let cells = [1, 2, 4, 6, 8].map(|guns| tables::artillery(die, guns).to_string());
            (die.to_string(), cells.to_vec())
        }),
    );
    Sheet {
        name: "artillery",
        title: phrase::CHART_ARTILLERY,
        body: table,
        notes: vec![
            rule!(CA_ARTILLERY_02),
            rule!(CA_ARTILLERY_03),
            rule!(CA_ARTILLERY_04),
            rule!(CA_ARTILLERY_05),
            rule!(CA_ARTILLERY_06),
            rule!(CA_ARTILLERY_07),
        ],
    }
}

pub(super) fn combat(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let heading = |name: &str, line: Line| {
        let mut head = singles([name]);
        head.extend(singles(tables::combat_line(line).iter().map(|level| level.printed())));
        head
    };
    let table = Table::new(Some(say(phrase::WORD_BOLD)))
        .head(&[(String::new(), 1), (say(phrase::HEAD_RATIO), 11)])
        .head(&heading("NA", Line::Na))
        .head(&heading("A", Line::A))
        .rows((0..=6).map(|die| {
            let cells = (1..=11).map(|column| {
                let cell = tables::combat(column, die);
                let result = format!("{}/{}", cell.attacker, cell.defender);
                if cell.loser == Party::Attacker { format!("<b>{result}</b>") } else { result }
            });
            (die.to_string(), cells.collect())
        }));
    Sheet {
        name: "combat",
        title: phrase::CHART_COMBAT,
        body: table,
        notes: vec![
            rule!(CA_CRT_02),
            rule!(CA_CRT_03),
            rule!(CA_CRT_04),
            rule!(CA_CRT_05),
            rule!(CA_CRT_06),
            rule!(CA_CRT_09),
            rule!(CA_CRT_10),
            rule!(CA_CRT_11),
            rule!(CA_CRT_12),
            rule!(CA_CRT_13),
            rule!(CA_R08),
            rule!(CA_R43),
        ],
    }
}

pub(super) fn initiative(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let bands = [(1, "0–1"), (2, "2"), (3, "3"), (4, "4"), (5, "5")];
    let mut head = singles([say(phrase::HEAD_PASSIVE)]);
    head.extend(singles(bands.map(|(_, name)| name)));
    let table = Table::new(None).head(&[(String::new(), 1), (say(phrase::HEAD_ACTIVE), 5)]).head(&head).rows(
        bands.map(|(passive, name)| {
            let cells = bands.map(|(active, _)| signed(tables::initiative(active, passive, false)));
            (name.to_owned(), cells.to_vec())
        }),
    );
    Sheet {
        name: "initiative",
        title: phrase::CHART_INITIATIVE,
        body: table,
        notes: vec![
            rule!(CA_INITIATIVE_02),
            rule!(CA_INITIATIVE_03),
            rule!(CA_INITIATIVE_04),
            rule!(CA_INITIATIVE_05),
            rule!(CA_INITIATIVE_06),
            rule!(CA_R23),
        ],
    }
}

pub(super) fn pursuit(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let mut head = singles([say(phrase::HEAD_PURSUER)]);
    head.extend(singles((1..=7).map(|retreat| retreat.to_string())));
    head.extend(singles(["8+"]));
    let columns = Table::new(Some(say(phrase::HEAD_RETREAT))).head(&head).rows(
        [(1, "0–1"), (2, "2"), (3, "3"), (4, "4–5")].map(|(initiative, name)| {
            let cells = (1..=8).map(|retreat| {
                tables::pursuit_column(initiative, retreat)
                    .map_or_else(|| "•".to_owned(), |column| column.to_string())
            });
            (name.to_owned(), cells.collect())
        }),
    );
    let mut head = singles([say(phrase::HEAD_DIE)]);
    head.extend(singles((1..=9).map(|column| column.to_string())));
    let advance = Table::new(Some(say(phrase::HEAD_ADVANCE))).head(&head).rows(
        [(0, "−1, 0"), (1, "1, 2"), (3, "3, 4"), (5, "5, 6"), (7, "7+")].map(|(die, name)| {
            let cells = (1..=9).map(|column| match tables::pursuit_advance(column, die) {
                0 => "•".to_owned(),
                hexes => hexes.to_string(),
            });
            (name.to_owned(), cells.collect())
        }),
    );
    let dot = format!("<p>• {}</p>", say(phrase::WORD_NO_PURSUIT));
    Sheet {
        name: "pursuit",
        title: phrase::CHART_PURSUIT,
        body: format!("{columns}{advance}{dot}"),
        notes: vec![
            rule!(CA_PURSUIT_02),
            rule!(CA_PURSUIT_03),
            rule!(CA_PURSUIT_04),
            rule!(CA_PURSUIT_05),
            rule!(CA_PURSUIT_06),
            rule!(CA_PURSUIT_07),
            rule!(CA_PURSUIT_08),
            rule!(CA_PURSUIT_09),
            rule!(CA_R43),
        ],
    }
}

pub(super) fn cavalry(lang: Lang) -> Sheet {
    let say = |phrase| word(phrase, lang);
    let bands = tables::cavalry_bands();
    let table = Table::new(None)
        .head(&singles([
            say(phrase::HEAD_SUPERIOR),
            say(phrase::HEAD_CAVALRY_RATIO),
            say(phrase::HEAD_MODIFIER),
        ]))
        .rows(bands.into_iter().map(|(superior, least, modifier)| {
            let side = match superior {
                Superior::Active => phrase::WORD_ACTIVE,
                Superior::Passive => phrase::WORD_PASSIVE,
                Superior::None => phrase::WORD_NEITHER,
            };
            let ratio = format!("≥ {}", number(kernel::Metres::hundredths(least), lang));
            let ratio = if superior == Superior::None {
                "&lt; 1.5".replace('.', if lang == Lang::Fr { "," } else { "." })
            } else {
                ratio
            };
            (say(side), vec![format!("{ratio} : 1"), signed(modifier)])
        }));
    Sheet {
        name: "cavalry",
        title: phrase::CHART_CAVALRY,
        body: table,
        notes: vec![
            rule!(CA_CAVALRY_02),
            rule!(CA_CAVALRY_03),
            rule!(CA_CAVALRY_04),
            rule!(CA_R25),
            rule!(CA_R26),
        ],
    }
}
