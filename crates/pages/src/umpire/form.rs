//! A form for any question, made from its schema.

use maud::{Markup, html};
use rulebook::{Asking, phrase::table as words, phrase::umpire};

use crate::answer::{field_name, value_name};
use crate::query::{Query, plain};
use crate::reader::Reader;
use crate::shape::{Field, Shape, selector, under, variant};

/// What was refused: the path of the field and the message.
pub(super) type Refused = (String, String);

/// Fields that may be left out and yet are asked first.
const FIRST: [&str; 5] = ["ap", "weather", "modifier", "level", "enfilade"];

/// The form of a question.
pub(super) fn form(
    reader: &Reader,
    question: &Asking,
    fields: &[Field],
    query: &Query,
    system: &str,
    refused: Option<&Refused>,
) -> Markup {
    let hand = Hand { reader, query, refused };
    let own = fields.iter().filter(|field| !matches!(field.name.as_str(), "dice" | "options" | "lang"));
    // What must be known stands first; with many others beside it, these are folded away.
    let (first, more): (Vec<&Field>, Vec<&Field>) =
        own.partition(|field| field.required || FIRST.contains(&field.name.as_str()));
    let folded = more.len() > 3 && !first.is_empty();
    let set = more.iter().any(|field| query.begins(&field.name));
    html! {
        form.question action={ "/umpire/" (question.name) } method="get" data-live="answer" {
            @for field in &first { (hand.field(field, "")) }
            @if folded {
                details.more open[set] { summary { (reader.say(words::MORE_FIELDS)) } @for field in &more { (hand.field(field, "")) } }
            } @else { @for field in &more { (hand.field(field, "")) } }
            @if fields.iter().any(|field| field.name == "dice") { (hand.dice()) }
            (options(reader, fields, query, system))
            div.ask-bar { button.primary type="submit" { (reader.say(words::ASK)) } " "
                a.quiet-button href={ "/umpire/" (question.name) } { (reader.say(words::CLEAR)) } }
        }
    }
}

/// The options of the system, closed unless one is set.
pub(super) fn options(reader: &Reader, fields: &[Field], query: &Query, system: &str) -> Markup {
    let Some(Shape::Group(options)) =
        fields.iter().find(|field| field.name == "options").map(|field| &field.shape)
    else {
        return html! {};
    };
    let set = options.iter().any(|option| query.get(&under("options", &option.name)).is_some());
    html! {
        @if !options.is_empty() {
            details.options open[set] {
                summary { (reader.say(words::OPTIONS)) }
                p.quiet { (reader.say(words::OPTIONS_LEAD)) }
                @for option in options { (one_option(reader, option, query, system)) }
            }
        }
    }
}

fn one_option(reader: &Reader, option: &Field, query: &Query, system: &str) -> Markup {
    let path = under("options", &option.name);
    let toggle = rulebook::rulings()
        .iter()
        .filter(|ruling| ruling.book.name().starts_with(system))
        .flat_map(|ruling| ruling.options.iter().map(move |toggle| (ruling.id, toggle)))
        .find(|(_, toggle)| toggle.name == option.name);
    let Shape::Choice(values) = &option.shape else { return html! {} };
    html! {
        div.field {
            label for=(path) {
                @match toggle { Some((_, toggle)) => (toggle.text.get(reader.lang)), None => (option.name) }
            }
            span.option-line {
                select id=(path) name=(path) {
                    @for (place, value) in values.iter().enumerate() {
                        // The default is not written into the address.
                        option value=(if place == 0 { "" } else { value.as_str() }) selected[query.get(&path) == Some(value.as_str())] {
                            (option_value(reader, &option.name, value))
                        }
                    }
                }
                @if let Some((ruling, _)) = toggle { (crate::page::rule_link(ruling)) }
            }
        }
    }
}

/// The name of a value of an option: its own where the word means something else elsewhere.
fn option_value(reader: &Reader, option: &str, value: &str) -> String {
    let own = format!("form-option-{option}-{value}").replace('_', "-");
    reader.named(&own).unwrap_or_else(|| value_name(reader, value))
}

/// One field of a question, for a page that places the others itself.
pub(super) fn field_of(reader: &Reader, query: &Query, refused: Option<&Refused>, field: &Field) -> Markup {
    Hand { reader, query, refused }.field(field, "")
}

struct Hand<'a> {
    reader: &'a Reader,
    query: &'a Query,
    refused: Option<&'a Refused>,
}

impl Hand<'_> {
    fn field(&self, field: &Field, path: &str) -> Markup {
        let path = if field.name.is_empty() { path.to_owned() } else { under(path, &field.name) };
        let label = match &field.shape {
            _ if field.name.is_empty() => self.reader.say(umpire::VARIANT),
            // The class of a body is its formation, that of an obstacle is what it is made of.
            Shape::Choice(words) if field.name == "class" && words.iter().any(|word| word == "hard") => {
                field_name(self.reader, "obstacle")
            }
            _ => field_name(self.reader, &field.name),
        };
        match &field.shape {
            Shape::Group(fields) => html! {
                fieldset { legend { (label) } @for inner in fields { (self.field(inner, &path)) } }
            },
            Shape::Variant(variants) => self.variant(&label, variants, &path),
            Shape::List(entry) => self.list(&label, entry, &path, field.required),
            Shape::Flag if field.default.as_ref().is_none_or(|value| value == false) => html! {
                div.field.field-flag {
                    input type="checkbox" id=(path) name=(path) value="true" checked[self.query.get(&path) == Some("true")];
                    label for=(path) { (label) }
                    (self.complaint(&path))
                }
            },
            shape => html! {
                div.field {
                    label for=(path) { (label) @if !field.required { span.optional { " " (self.reader.say(words::OPTIONAL)) } } }
                    (self.input(field, shape, &path))
                    (self.complaint(&path))
                }
            },
        }
    }

    /// One of several questions: which, and the fields of that one.
    fn variant(&self, label: &str, variants: &[(String, Option<Shape>)], path: &str) -> Markup {
        let chosen = variant(variants, path, self.query).or(variants.first());
        let name = selector(path);
        html! {
            div.field.variant {
                label for=(name) { (label) }
                span.option-line {
                    select id=(name) name=(name) data-variant="true" aria-invalid=[self.is_wrong(path).then_some("true")] {
                        // What needs a whole table is asked on a drawn one.
                        @for (word, _) in variants.iter().filter(|(word, _)| !word.contains("on-table")) {
                            @let named = self.reader.named(&format!("form-field-{}", word.replace('_', "-")));
                            option value=(word) selected[chosen.is_some_and(|(chosen, _)| chosen == word)] {
                                (named.unwrap_or_else(|| value_name(self.reader, word)))
                            }
                        }
                    }
                    button.small.no-script type="submit" name="_add" value=(name) formnovalidate { (self.reader.say(umpire::VARIANT_CHOOSE)) }
                }
                (self.complaint(path))
            }
            @if let Some((word, Some(inner))) = chosen {
                @let path = under(path, word);
                @match inner {
                    Shape::Group(fields) => { @for field in fields { (self.field(field, &path)) } },
                    Shape::Variant(variants) => (self.variant(&field_name(self.reader, word), variants, &path)),
                    shape => {
                        div.field {
                            label for=(path) { (field_name(self.reader, word)) }
                            (self.input(&Field { name: word.clone(), required: true, default: None, hint: None, shape: shape.clone() }, shape, &path))
                            (self.complaint(&path))
                        }
                    },
                }
            }
        }
    }

    fn list(&self, label: &str, entry: &Shape, path: &str, required: bool) -> Markup {
        let more = usize::from(self.query.get("_add") == Some(path));
        let count = (self.query.count(path) + more).clamp(usize::from(required), 60);
        html! {
            fieldset.list {
                legend { (label) }
                (self.complaint(path))
                @for place in 0..count {
                    @let path = under(path, &place.to_string());
                    fieldset.entry {
                        legend { (place + 1) }
                        @if let Shape::Group(fields) = entry { @for field in fields { (self.field(field, &path)) } }
                    }
                }
                button.small type="submit" name="_add" value=(path) formnovalidate { (self.reader.say(words::ADD_ONE)) }
            }
        }
    }

    fn input(&self, field: &Field, shape: &Shape, path: &str) -> Markup {
        let value = self.query.get(path);
        let default = field.default.as_ref().map(plain);
        let wrong = self.is_wrong(path).then_some("true");
        let described = self.is_wrong(path).then(|| format!("{path}-wrong"));
        match shape {
            Shape::Choice(choices) => html! {
                select id=(path) name=(path) required[field.required] aria-invalid=[wrong] aria-describedby=[described] {
                    // What must be chosen is chosen by the reader, not by the order of a list.
                    @if default.is_none() { option value="" { (if field.required { self.reader.say(umpire::CHOOSE) } else { "–".to_owned() }) } }
                    @for choice in choices {
                        option value=(choice) selected[value.or(default.as_deref()) == Some(choice)] { (value_name(self.reader, choice)) }
                    }
                }
            },
            Shape::Flag => html! {
                select id=(path) name=(path) {
                    option value="" { (self.reader.say(words::YES)) }
                    option value="false" selected[value == Some("false")] { (self.reader.say(words::NO)) }
                }
            },
            Shape::Number { whole, min, max } => html! {
                input type="number" id=(path) name=(path) value=[value] required[field.required]
                    step=(if *whole { "1" } else { "any" }) min=[min.map(|number| number.to_string())]
                    max=[max.map(|number| number.to_string())] placeholder=[default]
                    inputmode=(if *whole && min.is_some_and(|least| least >= 0.0) { "numeric" } else { "decimal" })
                    aria-invalid=[wrong] aria-describedby=[described];
            },
            Shape::Json | Shape::List(_) | Shape::Group(_) | Shape::Variant(_) => html! {
                textarea id=(path) name=(path) rows="6" spellcheck="false" placeholder="JSON" aria-invalid=[wrong] aria-describedby=[described] { (value.unwrap_or_default()) }
            },
            Shape::Text | Shape::Row(_) => html! {
                input type="text" id=(path) name=(path) value=[value] required[field.required] placeholder=[default]
                    aria-invalid=[wrong] aria-describedby=[described];
            },
        }
    }

    fn dice(&self) -> Markup {
        html! {
            div.field.field-dice {
                label for="dice" { (self.reader.say(words::DICE)) }
                input type="text" id="dice" name="dice" inputmode="numeric" autocomplete="off" pattern="[0-9 ]*"
                    value=[self.query.get("dice")] placeholder=(self.reader.say(words::DICE_NONE))
                    aria-invalid=[self.is_wrong("dice").then_some("true")];
                (self.complaint("dice"))
            }
        }
    }

    fn is_wrong(&self, path: &str) -> bool {
        self.refused.is_some_and(|(field, _)| field == path)
    }

    fn complaint(&self, path: &str) -> Markup {
        html! {
            @if let Some((field, message)) = self.refused {
                @if field == path { p.wrong id={ (path) "-wrong" } { (message) } }
            }
        }
    }
}
