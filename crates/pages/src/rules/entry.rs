//! The permanent page of a rule or ruling.

use kernel::{Chosen, RuleId};
use maud::{Markup, html};
use rulebook::{Entry, Example, Lang, Otherwise, Rule, Ruling, phrase::table as words};

use crate::page::{Headline, Room, Width, page, rule_link};
use crate::probe::Uses;
use crate::reader::Reader;

use super::{book_name, chapter_address, kind_name, prose, section_name, trail};

/// The page of a rule or ruling, as it stands under the options chosen.
pub(crate) fn entry(reader: &Reader, entry: Entry, uses: &Uses, chosen: &Chosen) -> Markup {
    let id = entry.id();
    let main = html! {
        @match entry {
            Entry::Rule(rule) => (of_rule(reader, rule, chosen)),
            Entry::Ruling(ruling) => (of_ruling(reader, ruling, chosen)),
        }
        (examples(reader, id))
        (questions(reader, id, uses))
        (neighbours(reader, entry))
    };
    let headline = Headline { title: id.as_str(), about: entry.text().get(reader.lang) };
    page(reader, headline, Some(Room::Rules), Width::Column, &main)
}

fn other(lang: Lang) -> Lang {
    if lang == Lang::Fr { Lang::En } else { Lang::Fr }
}

fn of_rule(reader: &Reader, rule: &'static Rule, chosen: &Chosen) -> Markup {
    let text = Entry::Rule(rule).text_under(chosen);
    let book = format!("/rules/book/{}", rule.book.name());
    let steps = [
        (book, book_name(reader, rule.book)),
        (chapter_address(rule.book, rule.section), section_name(reader, rule.book, rule.section)),
    ];
    html! {
        (trail(reader, &steps))
        article.rule-text {
            h1 { (rule.id) }
            p { span.tag { (kind_name(reader, rule.kind)) }
                @if rule.leans_on_series { " " span.tag { (reader.say(words::LEANS_ON_SERIES)) } } }
            (under(Entry::Rule(rule), chosen))
            p.says { (prose(text.get(reader.lang))) }
            details { summary { (reader.say(words::OTHER_LANGUAGE)) } p lang=(other(reader.lang).code()) { (text.get(other(reader.lang))) } }
        }
        @if !rule.rulings.is_empty() {
            section {
                h2 { (reader.say(words::RULINGS)) }
                @for id in rule.rulings {
                    @if let Some(Entry::Ruling(ruling)) = rulebook::entry(id.as_str()) {
                        div.statement {
                            p.statement-id { (rule_link(*id)) }
                            p.quiet { (ruling.problem.get(reader.lang)) }
                            (under(Entry::Ruling(ruling), chosen))
                            p { (prose(Entry::Ruling(ruling).text_under(chosen).get(reader.lang))) }
                            (options(reader, ruling))
                        }
                    }
                }
            }
        }
    }
}

fn of_ruling(reader: &Reader, ruling: &'static Ruling, chosen: &Chosen) -> Markup {
    let steps = [(format!("/rules/rulings#{}", ruling.book.name()), book_name(reader, ruling.book))];
    let settles: Vec<&Rule> =
        rulebook::rules().iter().filter(|rule| rule.rulings.contains(&ruling.id)).collect();
    html! {
        (trail(reader, &steps))
        article.rule-text {
            h1 { (ruling.id) }
            p { span.tag.tag-ruling { (reader.say(words::RULING)) } }
            h2.inline { (reader.say(words::PROBLEM)) } p { (ruling.problem.get(reader.lang)) }
            h2.inline { (reader.say(words::DECISION)) } (under(Entry::Ruling(ruling), chosen))
            p.says { (prose(Entry::Ruling(ruling).text_under(chosen).get(reader.lang))) }
            h2.inline { (reader.say(words::WHY)) } p { (ruling.why.get(reader.lang)) }
            (options(reader, ruling))
        }
        @if !settles.is_empty() {
            section {
                h2 { (reader.say(words::SETTLES)) }
                @for rule in settles {
                    div.statement { p.statement-id { (rule_link(rule.id)) } p { (rule.text.get(reader.lang)) } }
                }
            }
        }
    }
}

/// The choices under which an entry says what it says here, if they change it.
fn under(entry: Entry, chosen: &Chosen) -> Markup {
    html! {
        @if let Some(otherwise) = entry.changed(chosen) { p { (choices(otherwise)) } }
    }
}

fn choices(otherwise: &Otherwise) -> Markup {
    html! { @for (name, value) in otherwise.when { code { (name) ": " (value) } " " } }
}

fn options(reader: &Reader, ruling: &Ruling) -> Markup {
    html! {
        @for option in ruling.options {
            div.option {
                p { code { (option.name) } " " (option.text.get(reader.lang)) }
                p.quiet {
                    @for (place, value) in option.values.iter().enumerate() {
                        @if place > 0 { " · " }
                        code { (value) } @if place == 0 { " (" (reader.say(words::DEFAULT)) ")" }
                    }
                }
            }
        }
        @for otherwise in ruling.otherwise {
            p { (choices(otherwise)) (prose(otherwise.text.get(reader.lang))) }
        }
    }
}

fn examples(reader: &Reader, id: RuleId) -> Markup {
    let shown: Vec<&Example> =
        rulebook::examples().iter().filter(|example| example.rules.contains(&id)).collect();
    html! {
        @if !shown.is_empty() {
            section {
                h2 { (reader.say(words::EXAMPLES)) }
                @for example in shown {
                    div.statement.example id=(example.id) {
                        p.statement-id { (example.id) }
                        p { (example.given.get(reader.lang)) }
                        p.says { "→ " (example.expect.get(reader.lang)) }
                        @if let Some(note) = &example.note { p.quiet { (note.get(reader.lang)) } }
                        p.quiet { @for rule in example.rules.iter().filter(|rule| **rule != id) { (rule_link(*rule)) " " } }
                    }
                }
            }
        }
    }
}

fn questions(reader: &Reader, id: RuleId, uses: &Uses) -> Markup {
    let used = uses.of_rule(id.as_str());
    html! {
        @if !used.is_empty() {
            section {
                h2 { (reader.say(words::QUESTIONS_THAT_USE)) }
                ul {
                    @for (question, query) in used {
                        li { a href={ "/umpire/" (question) "?" (query) } { (crate::umpire::question_name(reader, question)) }
                            span.quiet { " · " (reader.say(words::SEE_IT_ACT)) } }
                    }
                }
            }
        }
    }
}

fn neighbours(reader: &Reader, entry: Entry) -> Markup {
    let (before, after) = match entry {
        Entry::Rule(rule) => {
            around(rulebook::rules(), |other| other.id == rule.id, |other| (other.book, other.id))
        }
        Entry::Ruling(ruling) => {
            around(rulebook::rulings(), |other| other.id == ruling.id, |other| (other.book, other.id))
        }
    };
    html! {
        nav.neighbours aria-label=(reader.say(words::NEIGHBOURS)) {
            @if let Some(id) = before { a href={ "/rules/" (id) } rel="prev" { "← " (id) } }
            @if let Some(id) = after { a.next href={ "/rules/" (id) } rel="next" { (id) " →" } }
        }
    }
}

fn around<T, B: PartialEq>(
    all: &[T],
    is_it: impl Fn(&T) -> bool,
    key: impl Fn(&T) -> (B, RuleId),
) -> (Option<RuleId>, Option<RuleId>) {
    let Some(place) = all.iter().position(is_it) else { return (None, None) };
    let (book, _) = key(&all[place]);
    let same = |place: Option<usize>| {
        place.and_then(|place| all.get(place)).map(&key).filter(|(other, _)| *other == book).map(|(_, id)| id)
    };
    (same(place.checked_sub(1)), same(place.checked_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::rule_link_under;

    fn chosen(name: &str, value: &str) -> Chosen {
        Chosen::from([(name.to_owned(), value.to_owned())])
    }

    /// In a game the link behind a reason leads to what the rule says in that game.
    #[test]
    fn a_link_carries_the_options_that_change_its_rule_and_the_page_follows_them() {
        let low = chosen("wall_assault_max_level", "14");
        let link = rule_link_under("DZ-4.8-14", &low).into_string();
        assert!(link.contains("href=\"/rules/DZ-4.8-14?options.wall_assault_max_level=14\""), "{link}");
        assert!(rule_link_under("DZ-1.2-03", &low).into_string().contains("href=\"/rules/DZ-1.2-03\""));
        let Some(Entry::Rule(rule)) = rulebook::entry("DZ-4.8-14") else { unreachable!("a rule") };
        let page = |chosen: &Chosen| of_rule(&Reader::of(Lang::En), rule, chosen).into_string();
        let says = |page: &str, text: &str| page.contains(text);
        assert!(says(&page(&low), "level 14 or less") && says(&page(&low), "F &lt;= 14."), "{}", page(&low));
        assert!(says(&page(&Chosen::default()), "level 16 or less"));
    }

    #[test]
    fn the_page_of_a_ruling_lists_what_is_done_under_each_choice() {
        let Some(Entry::Ruling(ruling)) = rulebook::entry("CA-R13") else { unreachable!("a ruling") };
        let page = of_ruling(&Reader::of(Lang::Fr), ruling, &chosen("krems_far", "nothing")).into_string();
        assert!(page.contains("krems_far: same_as_far") && page.contains("la colonne far entière"), "{page}");
        assert!(
            page.matches("on ne reçoit aucun AP").count() == 2,
            "as the decision and in the list: {page}"
        );
    }
}
