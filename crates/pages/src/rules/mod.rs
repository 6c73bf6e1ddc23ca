//! The rules: by book and section, by search, one permanent page each, the glossary.

mod chapter;
mod entry;
mod tables;

use std::collections::BTreeMap;

use kernel::Refusal;
use maud::{Markup, html};
use rulebook::tables::glossary::{TERMS, Terms};
use rulebook::{Book, Entry, Lang, phrase::table as words, phrase::umpire};

use crate::home::count;
use crate::page::{Headline, Room, Width, page, rule_link};
use crate::reader::Reader;

pub(crate) use chapter::{address as chapter_address, chapter};
pub(crate) use entry::entry;
pub(crate) use tables::{prose, table};

/// The most hits shown.
const MOST_HITS: usize = 80;

/// The name of a book.
pub(crate) fn book_name(reader: &Reader, book: Book) -> String {
    reader.named(&format!("table-book-{}", book.name())).unwrap_or_else(|| book.name().to_owned())
}

/// The name of a section: `§ 4.7.2 Saps, parallels and batteries`, or a word.
pub(crate) fn section_name(reader: &Reader, book: Book, section: &str) -> String {
    if !is_numbered(section) {
        let named = reader.named(&format!("table-section-{section}"));
        return named.unwrap_or_else(|| section.replace('-', " "));
    }
    let title = reader.named(&format!("section-{}-{}", book.name(), section.replace('.', "-")));
    format!("§ {section} {}", title.unwrap_or_default())
}

fn is_numbered(section: &str) -> bool {
    section.starts_with(|first: char| first.is_ascii_digit())
}

/// The anchor of a section on the page of its book.
pub(crate) fn anchor(section: &str) -> String {
    format!("s-{}", section.replace('.', "-"))
}

/// What kind of rule it is.
pub(crate) fn kind_name(reader: &Reader, kind: rulebook::Kind) -> String {
    let name = format!("{kind:?}").to_lowercase();
    reader.named(&format!("table-kind-{name}")).unwrap_or(name)
}

/// The field to search in.
pub(crate) fn search_form(reader: &Reader, words_sought: &str) -> Markup {
    html! {
        form.search action="/rules" method="get" role="search" {
            label for="q" { (reader.say(words::SEARCH_LABEL)) }
            div.search-line {
                input id="q" name="q" type="search" value=(words_sought) autocomplete="off" placeholder=(reader.say(words::SEARCH_EXAMPLE));
                button type="submit" { (reader.say(words::SEARCH)) }
            }
        }
    }
}

/// The books, or what was found; or why so much cannot be sought.
pub(crate) fn front(reader: &Reader, sought: &str) -> Result<Markup, Markup> {
    let found = if sought.is_empty() { Ok(books(reader)) } else { found(reader, sought) };
    let sheet = |echo: &str, below: &Markup| {
        let main = html! {
            h1 { (reader.say(words::RULES_TITLE)) }
            p.lead { (reader.say(words::RULES_LEAD)) }
            (search_form(reader, echo))
            (below)
        };
        let headline =
            Headline { title: &reader.say(words::RULES_TITLE), about: &reader.say(words::RULES_LEAD) };
        page(reader, headline, Some(Room::Rules), Width::Column, &main)
    };
    match found {
        Ok(found) => Ok(sheet(sought, &found)),
        Err(refusal) => Err(sheet("", &too_much(reader, &refusal))),
    }
}

/// Why so much cannot be sought at once.
fn too_much(reader: &Reader, refusal: &Refusal) -> Markup {
    html! { p.wrong role="status" { (rulebook::refusal(refusal, reader.lang)) } }
}

fn books(reader: &Reader) -> Markup {
    html! {
        ul.books {
            @for &book in Book::ALL {
                @let rules = rulebook::rules().iter().filter(|rule| rule.book == book).count();
                @let rulings = rulebook::rulings().iter().filter(|ruling| ruling.book == book).count();
                li.book {
                    h2 { a href={ "/rules/book/" (book.name()) } { (book_name(reader, book)) } }
                    p.quiet {
                        (reader.say_with(words::COUNT_RULES, "count", count(rules))) " · "
                        (reader.say_with(words::COUNT_RULINGS, "count", count(rulings)))
                    }
                    nav.sections aria-label={ (book_name(reader, book)) ", " (reader.say(words::SECTIONS)) } {
                        @for section in sections(book) {
                            a href=(chapter_address(book, section)) { (section_name(reader, book, section)) }
                        }
                    }
                }
            }
        }
        p { a href="/rules/glossary" { (reader.say(words::GLOSSARY)) } " · " a href="/rules/rulings" { (reader.say(words::RULINGS)) } }
    }
}

/// The sections of a book, in order, each once.
fn sections(book: Book) -> Vec<&'static str> {
    let mut sections = Vec::new();
    for rule in rulebook::rules().iter().filter(|rule| rule.book == book) {
        if !sections.contains(&rule.section) {
            sections.push(rule.section);
        }
    }
    sections
}

fn found(reader: &Reader, sought: &str) -> Result<Markup, Refusal> {
    let hits = rulebook::search(sought, reader.lang)?;
    let wanted = rulebook::sought(sought)?;
    let like = rulebook::fold(sought.trim());
    let terms: Vec<&Terms> = TERMS.iter().filter(|term| is_like(term, &like)).take(5).collect();
    let other = if reader.lang == Lang::Fr { Lang::En } else { Lang::Fr };
    Ok(html! {
        p.quiet role="status" {
            @if hits.is_empty() { (reader.say(umpire::NO_HITS)) } @else { (reader.say_with(words::COUNT_HITS, "count", count(hits.len()))) }
        }
        @if !terms.is_empty() {
            section.found-terms {
                h2 { (reader.say(umpire::FOUND_TERMS)) }
                dl.terms { @for term in terms { (one_term(reader, term)) } }
            }
        }
        ol.hits {
            @for hit in hits.iter().take(MOST_HITS) {
                li {
                    p.hit-head {
                        (rule_link(hit.id)) " "
                        @match hit.entry {
                            Entry::Rule(rule) => {
                                span.tag { (kind_name(reader, rule.kind)) } " "
                                span.quiet { (book_name(reader, rule.book)) ", " (section_name(reader, rule.book, rule.section)) }
                            },
                            Entry::Ruling(ruling) => {
                                span.tag.tag-ruling { (reader.say(words::RULING)) } " "
                                span.quiet { (book_name(reader, ruling.book)) }
                            },
                        }
                    }
                    p { (marked(hit.entry.text().get(reader.lang), &wanted)) }
                    // Found by the words of the other language: they are shown too.
                    @if !has_words(hit.entry.text().get(reader.lang), &wanted) && has_words(hit.entry.text().get(other), &wanted) {
                        p.other lang=(other.code()) { (marked(hit.entry.text().get(other), &wanted)) }
                    }
                }
            }
        }
        @if hits.len() > MOST_HITS { p.quiet { (reader.say_with(words::MORE_HITS, "count", count(hits.len() - MOST_HITS))) } }
    })
}

/// Whether a text has all the words sought.
fn has_words(text: &str, wanted: &[String]) -> bool {
    let words = rulebook::folded_words(text);
    wanted.iter().all(|wanted| words.iter().any(|word| word.starts_with(wanted.as_str())))
}

/// Whether a word of the glossary is like what is sought (already folded), in either language.
fn is_like(term: &Terms, sought: &str) -> bool {
    !sought.is_empty() && [term.en, term.fr].iter().any(|word| rulebook::fold(word).contains(sought))
}

/// A word of the glossary, in the reader's language first.
fn one_term(reader: &Reader, term: &Terms) -> Markup {
    let (own, other, code, meaning) = match reader.lang {
        Lang::Fr => (term.fr, term.en, "en", term.meaning_fr),
        Lang::En => (term.en, term.fr, "fr", term.meaning_en),
    };
    html! { div { dt { (own) " " span.other lang=(code) { (other) } } dd { (meaning) } } }
}

/// The text with the words sought marked.
fn marked(text: &str, wanted: &[String]) -> Markup {
    let fits = |word: &str| {
        let parts = rulebook::folded_words(word);
        wanted.iter().any(|wanted| parts.iter().any(|part| part.starts_with(wanted.as_str())))
    };
    html! {
        @for word in text.split_inclusive(' ') {
            @if fits(word) { mark { (word.trim_end()) } " " } @else { (word) }
        }
    }
}

/// A book, section by section.
pub(crate) fn book(reader: &Reader, book: Book) -> Markup {
    let sections = sections(book);
    let main = html! {
        (trail(reader, &[]))
        h1 { (book_name(reader, book)) }
        nav.sections aria-label=(reader.say(words::SECTIONS)) {
            @for section in &sections { a href={ "#" (anchor(section)) } { (section_name(reader, book, section)) } }
        }
        @for section in &sections {
            section.chapter aria-labelledby=(anchor(section)) {
                h2 id=(anchor(section)) { a href=(chapter_address(book, section)) { (section_name(reader, book, section)) } }
                @for rule in rulebook::rules().iter().filter(|rule| rule.book == book && rule.section == *section) {
                    div.statement {
                        p.statement-id { (rule_link(rule.id)) " " span.tag { (kind_name(reader, rule.kind)) } }
                        p { (prose(rule.text.get(reader.lang))) }
                        @if !rule.rulings.is_empty() {
                            p.quiet { (reader.say(words::SETTLED_BY)) " " @for id in rule.rulings { (rule_link(*id)) " " } }
                        }
                    }
                }
            }
        }
    };
    let name = book_name(reader, book);
    let about = reader.say_with(words::BOOK_ABOUT, "book", name.as_str());
    page(reader, Headline { title: &name, about: &about }, Some(Room::Rules), Width::Column, &main)
}

/// All rulings, by book.
pub(crate) fn rulings(reader: &Reader) -> Markup {
    let title = reader.say(words::RULINGS);
    let main = html! {
        (trail(reader, &[]))
        h1 { (title) }
        p.lead { (reader.say(words::RULINGS_LEAD)) }
        @for &book in Book::ALL {
            section.chapter {
                h2 id=(book.name()) { (book_name(reader, book)) }
                @for ruling in rulebook::rulings().iter().filter(|ruling| ruling.book == book) {
                    div.statement {
                        p.statement-id {
                            (rule_link(ruling.id))
                            @if !ruling.options.is_empty() { " " span.tag { (reader.say(words::OPTION)) } }
                        }
                        p.quiet { (ruling.problem.get(reader.lang)) }
                        p { (prose(ruling.decision.get(reader.lang))) }
                    }
                }
            }
        }
    };
    let headline = Headline { title: &title, about: &reader.say(words::RULINGS_LEAD) };
    page(reader, headline, Some(Room::Rules), Width::Column, &main)
}

/// The words of the games, with their meaning, in both languages; all of them, or those sought.
pub(crate) fn glossary(reader: &Reader, sought: &str) -> Result<Markup, Markup> {
    let refused = rulebook::sought(sought).err();
    let sought = if refused.is_some() { "" } else { sought };
    let like = rulebook::fold(sought.trim());
    let mut systems: BTreeMap<usize, (&str, Vec<&Terms>)> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for term in TERMS.iter().filter(|term| sought.is_empty() || is_like(term, &like)) {
        let place = order.iter().position(|system| *system == term.system).unwrap_or_else(|| {
            order.push(term.system);
            order.len() - 1
        });
        systems.entry(place).or_insert((term.system, Vec::new())).1.push(term);
    }
    let title = reader.say(words::GLOSSARY);
    let main = html! {
        (trail(reader, &[]))
        h1 { (title) }
        p.lead { (reader.say(words::GLOSSARY_LEAD)) }
        form.search action="/rules/glossary" method="get" role="search" {
            label for="q" { (reader.say(umpire::GLOSSARY_SEARCH)) }
            div.search-line {
                input id="q" name="q" type="search" value=(sought) autocomplete="off" placeholder="sape, redoubt …";
                button type="submit" { (reader.say(words::SEARCH)) }
            }
        }
        @if let Some(refusal) = &refused { (too_much(reader, refusal)) }
        @if systems.is_empty() { p role="status" { (reader.say_with(umpire::GLOSSARY_NONE, "name", sought.to_owned())) } }
        @for (system, terms) in systems.values() {
            section.chapter {
                h2 { (reader.system_name(system)) }
                dl.terms { @for term in terms { (one_term(reader, term)) } }
            }
        }
    };
    let headline = Headline { title: &title, about: &reader.say(words::GLOSSARY_LEAD) };
    let sheet = page(reader, headline, Some(Room::Rules), Width::Column, &main);
    if refused.is_some() { Err(sheet) } else { Ok(sheet) }
}

/// The way back up.
pub(crate) fn trail(reader: &Reader, steps: &[(String, String)]) -> Markup {
    html! {
        nav.trail aria-label=(reader.say(words::TRAIL)) {
            a href="/rules" { (reader.say(words::NAV_RULES)) }
            @for (href, name) in steps { span aria-hidden="true" { " › " } a href=(href) { (name) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_sought_are_marked_whatever_their_accents() {
        assert_eq!(
            marked("Le tireur désordonné tire", &rulebook::sought("DESORDONNE").unwrap()).0,
            "Le tireur <mark>désordonné</mark> tire"
        );
    }

    #[test]
    fn a_word_of_either_language_finds_the_rule_and_the_term() {
        let english = front(&Reader::of(Lang::En), "redoute").unwrap().into_string();
        assert!(english.contains("<mark>redoute"), "the French words that fit are shown");
        let french = glossary(&Reader::of(Lang::Fr), "siege gun").unwrap().into_string();
        assert!(french.contains("<dl") || french.contains("role=\"status\""));
        assert!(glossary(&Reader::of(Lang::En), "zeppelin").unwrap().into_string().contains("zeppelin"));
    }

    #[test]
    fn so_many_words_are_not_sought_and_not_repeated() {
        let many = "redoubt ".repeat(32_000);
        for page in [front(&Reader::of(Lang::En), &many), glossary(&Reader::of(Lang::En), &many)] {
            let page = page.expect_err("a page that refuses").into_string();
            assert!(page.contains("at most 200 letters can be sought at once"), "{page}");
            assert!(page.len() < 200_000, "{} bytes", page.len());
        }
        let words = front(&Reader::of(Lang::Fr), &"a ".repeat(17)).expect_err("a page that refuses");
        assert!(words.into_string().contains("au plus 16 mots"));
    }

    #[test]
    fn every_book_section_and_kind_has_a_name_in_both_languages() {
        for lang in Lang::ALL {
            let reader = Reader::of(lang);
            for book in Book::ALL {
                assert!(reader.named(&format!("table-book-{}", book.name())).is_some(), "{}", book.name());
            }
            for rule in rulebook::rules() {
                let kind = format!("table-kind-{}", format!("{:?}", rule.kind).to_lowercase());
                assert!(reader.named(&kind).is_some(), "{kind}");
                let section = section_name(&reader, rule.book, rule.section);
                let title = section.strip_prefix(&format!("§ {}", rule.section)).unwrap_or(&section);
                assert!(title.trim().chars().any(char::is_alphabetic), "{} {section}", rule.book.name());
            }
        }
    }
}
