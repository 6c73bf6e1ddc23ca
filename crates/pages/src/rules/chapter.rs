//! A section of a book, to be read from its beginning to its end: its rules one after the other as text,
//! its diagrams, its rulings and its worked examples, and the way to the sections before and after.

use maud::{Markup, html};
use rulebook::{Book, Entry, Example, Kind, Rule, phrase::table as words};

use super::{book_name, prose, section_name, sections, trail};
use crate::page::{Headline, Room, Width, page, rule_link};
use crate::reader::Reader;
use crate::system::{Figure, System};

/// The address of a section.
pub(crate) fn address(book: Book, section: &str) -> String {
    format!("/rules/book/{}/{section}", book.name())
}

/// The section as a page; nothing if the book has none of this name.
pub(crate) fn chapter(reader: &Reader, systems: &[System], book: Book, section: &str) -> Option<Markup> {
    let all = sections(book);
    let place = all.iter().position(|one| *one == section)?;
    let rules: Vec<&'static Rule> =
        rulebook::rules().iter().filter(|rule| rule.book == book && rule.section == section).collect();
    let title = section_name(reader, book, section);
    let steps = [(format!("/rules/book/{}", book.name()), book_name(reader, book))];
    let main = html! {
        (trail(reader, &steps))
        article.chapter-text {
            h1 { (title) }
            (text(reader, &rules))
            @for figure in figures(systems, book, section) { (picture(reader, figure)) }
        }
        (rulings(reader, &rules))
        (examples(reader, &rules))
        nav.neighbours aria-label=(reader.say(words::NEIGHBOURS)) {
            @if let Some(before) = place.checked_sub(1).and_then(|place| all.get(place)) {
                a href=(address(book, before)) rel="prev" { "← " (section_name(reader, book, before)) }
            }
            @if let Some(after) = all.get(place + 1) {
                a.next href=(address(book, after)) rel="next" { (section_name(reader, book, after)) " →" }
            }
        }
    };
    let about = rules.first().map(|rule| rule.text.get(reader.lang)).unwrap_or_default();
    Some(page(reader, Headline { title: &title, about }, Some(Room::Rules), Width::Column, &main))
}

/// The rules as running text; what is only advice is set apart.
fn text(reader: &Reader, rules: &[&'static Rule]) -> Markup {
    html! {
        @for rule in rules {
            p.advice[rule.kind == Kind::Advice] id=(rule.id) {
                (prose(rule.text.get(reader.lang))) " " span.source { (rule_link(rule.id)) }
            }
        }
    }
}

/// The diagrams of a section.
fn figures<'a>(
    systems: &'a [System],
    book: Book,
    section: &'a str,
) -> impl Iterator<Item = &'static Figure> + 'a {
    let all = systems.iter().flat_map(|system| system.figures);
    all.filter(move |figure| figure.book == book && figure.sections.contains(&section))
}

fn picture(reader: &Reader, figure: &Figure) -> Markup {
    let caption = reader.say(figure.caption);
    html! {
        figure.diagram {
            img src=(figure.picture.address(reader.lang)) alt=(caption) loading="lazy";
            figcaption { (caption) }
        }
    }
}

/// What was settled where the book is silent.
fn rulings(reader: &Reader, rules: &[&'static Rule]) -> Markup {
    let mut ids: Vec<kernel::RuleId> = Vec::new();
    for id in rules.iter().flat_map(|rule| rule.rulings) {
        if !ids.contains(id) {
            ids.push(*id);
        }
    }
    html! {
        @if !ids.is_empty() {
            section.chapter {
                h2 { (reader.say(words::RULINGS)) }
                @for id in ids {
                    @if let Some(Entry::Ruling(ruling)) = rulebook::entry(id.as_str()) {
                        p { (prose(ruling.decision.get(reader.lang))) " " span.source { (rule_link(id)) } }
                    }
                }
            }
        }
    }
}

/// The worked examples whose first rule is of this section.
fn examples(reader: &Reader, rules: &[&'static Rule]) -> Markup {
    let of_here = |example: &&Example| {
        example.rules.first().is_some_and(|first| rules.iter().any(|rule| rule.id == *first))
    };
    let shown: Vec<&Example> = rulebook::examples().iter().filter(of_here).collect();
    html! {
        @if !shown.is_empty() {
            section.chapter {
                h2 { (reader.say(words::EXAMPLES)) }
                @for example in shown {
                    div.statement.example id=(example.id) {
                        p { (example.given.get(reader.lang)) }
                        p.says { "→ " (example.expect.get(reader.lang)) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    /// Every section of every book can be read in both languages, with all its rules in their order.
    #[test]
    fn every_section_is_a_chapter_with_all_its_rules() {
        for lang in Lang::ALL {
            let reader = Reader::of(lang);
            for &book in Book::ALL {
                for section in sections(book) {
                    let page = chapter(&reader, &[], book, section).expect("a chapter").into_string();
                    let mut from = 0;
                    let own = rulebook::rules().iter().filter(|rule| rule.book == book);
                    for rule in own.filter(|rule| rule.section == section) {
                        let id = format!("id=\"{}\"", rule.id);
                        let at = page[from..].find(&id).unwrap_or_else(|| panic!("no {id} in § {section}"));
                        from += at + id.len();
                    }
                }
            }
            assert!(chapter(&reader, &[], Book::ALL[0], "99").is_none());
        }
    }
}
