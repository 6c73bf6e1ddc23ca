//! The tables of the books, and the places in the texts of rules that name one.

use maud::{Markup, html};
use rulebook::{Lang, PrintedTable, Rule, phrase::umpire};

use super::{book_name, trail};
use crate::page::{Headline, Room, Width, page, rule_link};
use crate::reader::Reader;

const ENDING: &str = ".csv";

fn address(table: &PrintedTable) -> String {
    format!("/rules/tables/{}", table.name)
}

/// What a table is called: the name of its file without the signs between the words.
fn title(table: &PrintedTable) -> String {
    table.name.replace(['_', '-'], " ")
}

/// A text of a ledger; a table it names can be opened.
pub(crate) fn prose(text: &str) -> Markup {
    let mut parts: Vec<(&str, Option<&PrintedTable>)> = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(ENDING) {
        let path = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '/');
        let start = rest[..end].trim_end_matches(path).len();
        let name = rest[start..end].rsplit('/').next().unwrap_or_default();
        match rulebook::printed_table(name) {
            Some(table) => {
                parts.push((&rest[..start], None));
                parts.push((&rest[start..end], Some(table)));
            }
            None => parts.push((&rest[..end + ENDING.len()], None)),
        }
        rest = &rest[end + ENDING.len()..];
    }
    parts.push((rest, None));
    html! {
        @for (part, table) in parts {
            @match table {
                Some(table) => a.table-link href=(address(table)) { (title(table)) },
                None => (part),
            }
        }
    }
}

/// Whether a column says in the other language what another column says in the reader's: `fr` beside
/// `en`, `note_fr` beside `note_en` or `note`.
fn is_foreign(reader: &Reader, heading: &[&str], column: &str) -> bool {
    let has = |name: &str| heading.contains(&name);
    let stem = |ending: &str| column.strip_suffix(ending).map(|stem| stem.trim_end_matches('_'));
    match reader.lang {
        Lang::Fr => {
            let own = |stem: &str| if stem.is_empty() { "fr".to_owned() } else { format!("{stem}_fr") };
            has(&own(column)) || stem("en").is_some_and(|stem| has(&own(stem)))
        }
        Lang::En => stem("fr")
            .is_some_and(|stem| (stem.is_empty() && has("en")) || has(stem) || has(&format!("{stem}_en"))),
    }
}

/// What a column is called; which language it speaks the reader sees.
fn column_name(column: &str) -> String {
    let plain = column.strip_suffix("_fr").or_else(|| column.strip_suffix("_en")).unwrap_or(column);
    plain.replace('_', " ")
}

/// The page of a table, with the rules that name it.
pub(crate) fn table(reader: &Reader, table: &PrintedTable) -> Markup {
    let heading: Vec<&str> = table.heading().collect();
    let shown: Vec<usize> =
        (0..heading.len()).filter(|&place| !is_foreign(reader, &heading, heading[place])).collect();
    let named = format!("{}{ENDING}", table.name);
    let rules: Vec<&Rule> = rulebook::rules().iter().filter(|rule| rule.text.en.contains(&named)).collect();
    let book = rules.first().map(|rule| rule.book);
    let steps: Vec<(String, String)> = book
        .map(|book| (format!("/rules/book/{}", book.name()), book_name(reader, book)))
        .into_iter()
        .collect();
    let main = html! {
        (trail(reader, &steps))
        h1 { (title(table)) }
        p.lead { (reader.say(umpire::TABLE_LEAD)) }
        @for rule in rules { p { (rule_link(rule.id)) " " (prose(rule.text.get(reader.lang))) } }
        div.wide-table tabindex="0" role="region" aria-label=(title(table)) {
            table.things {
                thead { tr { @for &place in &shown { th scope="col" { (column_name(heading[place])) } } } }
                tbody {
                    @for row in table.rows() {
                        tr { @for &place in &shown { td { (row.get(place).copied().unwrap_or_default().replace('_', " ")) } } }
                    }
                }
            }
        }
    };
    let name = title(table);
    let about = reader.say_with(umpire::TABLE_ABOUT, "table", name.as_str());
    page(reader, Headline { title: &name, about: &about }, Some(Room::Rules), Width::Wide, &main)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_a_rule_names_can_be_opened() {
        let text = "Pertes : voir tables/tabletop-fire/loss_table.csv et nothing.csv.";
        assert_eq!(
            prose(text).0,
            "Pertes : voir <a class=\"table-link\" href=\"/rules/tables/loss_table\">loss table</a> et nothing.csv."
        );
        assert_eq!(prose("L’été (die_results.csv)").0.matches("href").count(), 1);
    }

    #[test]
    fn a_table_speaks_one_language() {
        let heading = ["element", "element_fr", "en", "fr", "note_en", "note_fr", "men"];
        let shown = |lang| -> Vec<&str> {
            let reader = Reader::of(lang);
            heading.into_iter().filter(|column| !is_foreign(&reader, &heading, column)).collect()
        };
        assert_eq!(shown(Lang::Fr), ["element_fr", "fr", "note_fr", "men"]);
        assert_eq!(shown(Lang::En), ["element", "en", "note_en", "men"]);
    }

    #[test]
    fn every_table_that_a_rule_names_is_there() {
        for rule in rulebook::rules() {
            for lang in Lang::ALL {
                let said = prose(rule.text.get(lang)).0;
                assert!(!said.contains(ENDING), "{} names a table that is not there: {said}", rule.id);
            }
        }
    }
}
