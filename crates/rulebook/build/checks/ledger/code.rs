//! What is made of sound ledgers: ids as constants, the static ledger, and the options with their values.

use std::collections::BTreeMap;
use std::fmt::Write;

use toml::Spanned;

use super::super::{const_name, field_name, literal, type_name};
use super::{Ledger, OptionSet, Otherwise, system_of};

/// The constants and the static ledger.
pub(in super::super) fn code(ledgers: &[Ledger]) -> String {
    let mut ids = String::new();
    let mut rules = String::new();
    let mut rulings = String::new();
    let mut examples = String::new();
    let mut books = String::new();
    for ledger in ledgers {
        let book = type_name(ledger.file.system.id.get_ref());
        let _ = writeln!(
            books,
            "    /// {title}\n    #[serde(rename = {id})]\n    {book},",
            title = ledger.file.system.title,
            id = literal(ledger.file.system.id.get_ref()),
        );
        for rule in &ledger.file.rule {
            constant(&mut ids, &rule.id, rule.en.get_ref());
            let refs: String =
                rule.ruling.iter().map(|id| format!("ids::{}, ", const_name(id.get_ref()))).collect();
            let _ = writeln!(
                rules,
                "    Rule {{ id: ids::{id}, book: Book::{book}, section: {section}, kind: Kind::{kind}, \
                 text: {text}, otherwise: &[{otherwise}], rulings: &[{refs}], leans_on_series: {series} }},",
                id = const_name(rule.id.get_ref()),
                section = literal(&rule.section),
                kind = type_name(rule.kind.get_ref()),
                text = both(rule.en.get_ref(), rule.fr.get_ref()),
                otherwise = otherwise_code(&rule.otherwise),
                series = rule.depends_on_series,
            );
        }
        for ruling in &ledger.file.ruling {
            constant(&mut ids, &ruling.id, ruling.decision.get_ref());
            let _ = writeln!(
                rulings,
                "    Ruling {{ id: ids::{id}, book: Book::{book}, problem: {problem}, decision: {decision}, \
                 why: {why}, options: &[{options}], otherwise: &[{otherwise}] }},",
                id = const_name(ruling.id.get_ref()),
                problem = both(ruling.problem.get_ref(), ruling.problem_fr.get_ref()),
                decision = both(ruling.decision.get_ref(), ruling.decision_fr.get_ref()),
                why = both(ruling.why.get_ref(), ruling.why_fr.get_ref()),
                otherwise = otherwise_code(&ruling.otherwise),
                options = ledger
                    .options
                    .iter()
                    .filter(|option| option.ruling == *ruling.id.get_ref())
                    .map(|option| {
                        format!(
                            "Toggle {{ name: {}, values: &{:?}, text: {} }}, ",
                            literal(&option.name),
                            option.values,
                            both(&option.en, &option.fr)
                        )
                    })
                    .collect::<String>(),
            );
        }
        for example in &ledger.file.example {
            let refs: String =
                example.rules.iter().map(|id| format!("ids::{}, ", const_name(id.get_ref()))).collect();
            let note = match (&example.note, &example.note_fr) {
                (Some(en), Some(fr)) => format!("Some({})", both(en.get_ref(), fr.get_ref())),
                _ => "None".to_owned(),
            };
            let _ = writeln!(
                examples,
                "    Example {{ id: {id}, book: Book::{book}, rules: &[{refs}], given: {given}, expect: {expect}, \
                 note: {note} }},",
                id = literal(example.id.get_ref()),
                given = both(example.given.get_ref(), example.given_fr.get_ref()),
                expect = both(example.expect.get_ref(), example.expect_fr.get_ref()),
            );
        }
    }
    format!(
        "/// A book's ledger.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]\n\
         pub enum Book {{\n{books}}}\n\n\
         impl Book {{\n    /// All ledgers.\n    pub const ALL: &'static [Self] = &[{all}];\n\n\
         /// The ledger's name.\n    #[must_use]\n    pub const fn name(self) -> &'static str {{\n        match self {{\n{names}        }}\n    }}\n\n\
         /// The title of the book it was drawn from.\n    #[must_use]\n    pub const fn source(self) -> &'static str {{\n        match self {{\n{sources}        }}\n    }}\n}}\n\n\
         /// The ids of all rules and rulings. A wrong one does not compile.\n\
         #[allow(clippy::doc_markdown, reason = \"texts of the ledger\")]\npub mod ids {{\n    use kernel::RuleId;\n\n{ids}}}\n\n\
         pub(crate) static RULES: &[Rule] = &[\n{rules}];\n\n\
         pub(crate) static RULINGS: &[Ruling] = &[\n{rulings}];\n\n\
         pub(crate) static EXAMPLES: &[Example] = &[\n{examples}];\n",
        all = ledgers
            .iter()
            .map(|ledger| format!("Self::{}, ", type_name(ledger.file.system.id.get_ref())))
            .collect::<String>(),
        names = ledgers
            .iter()
            .map(|ledger| {
                let id = ledger.file.system.id.get_ref();
                format!("            Self::{} => {},\n", type_name(id), literal(id))
            })
            .collect::<String>(),
        sources = ledgers
            .iter()
            .map(|ledger| {
                let system = &ledger.file.system;
                format!(
                    "            Self::{} => {},\n",
                    type_name(system.id.get_ref()),
                    literal(&system.source)
                )
            })
            .collect::<String>(),
    )
}

fn constant(ids: &mut String, id: &Spanned<String>, doc: &str) {
    let doc = doc.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<").replace('\n', " ");
    let _ = writeln!(
        ids,
        "    #[doc = {}]\n    pub const {}: RuleId = RuleId::declared({});",
        literal(&doc),
        const_name(id.get_ref()),
        literal(id.get_ref())
    );
}

fn otherwise_code(otherwise: &[Otherwise]) -> String {
    let code = otherwise.iter().map(|one| {
        let text = both(one.en.get_ref(), one.fr.get_ref());
        format!("Otherwise {{ when: &{:?}, text: {text} }}, ", one.choices())
    });
    code.collect()
}

fn both(en: &str, fr: &str) -> String {
    format!("Text {{ en: {}, fr: {} }}", literal(en), literal(fr))
}

/// A module per system with an enum per option and a struct of them all.
pub(in super::super) fn options_code(ledgers: &[Ledger]) -> String {
    let mut systems: BTreeMap<&str, Vec<&OptionSet>> = BTreeMap::new();
    for ledger in ledgers {
        systems.entry(system_of(ledger.file.system.id.get_ref())).or_default().extend(&ledger.options);
    }
    let mut code = String::new();
    for (system, options) in systems {
        let mut enums = String::new();
        let mut fields = String::new();
        let mut arms = String::new();
        let mut list = String::new();
        let mut chosen = String::new();
        for option in options {
            let (name, field) = (type_name(&option.name), field_name(&option.name));
            let mut variants = String::new();
            let mut parse = String::new();
            let mut show = String::new();
            for (place, value) in option.values.iter().enumerate() {
                let variant = type_name(value);
                let default = if place == 0 { "#[default] " } else { "" };
                let _ = writeln!(
                    variants,
                    "        /// `{value}`.\n        #[serde(rename = {})]\n        {default}{variant},",
                    literal(value)
                );
                let _ = write!(parse, "Some({}) => {name}::{variant}, ", literal(value));
                let _ = write!(show, "Self::{variant} => {}, ", literal(value));
            }
            let doc = option.en.replace('[', "\\[").replace(']', "\\]").replace('<', "\\<");
            let _ = writeln!(
                enums,
                "    #[doc = {doc}]\n    #[doc = \"\"]\n    #[doc = {ruling}]\n\
                 \x20   #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]\n\
                 \x20   #[allow(non_camel_case_types, reason = \"named after the ledger's values\")]\n\
                 \x20   pub enum {name} {{\n{variants}    }}\n\n\
                 \x20   impl {name} {{\n        /// Its name in the ledger.\n        #[must_use]\n\
                 \x20       pub const fn name(self) -> &'static str {{ match self {{ {show} }} }}\n    }}\n",
                doc = literal(&doc),
                ruling = literal(&format!("Ruling {}.", option.ruling)),
            );
            let _ = writeln!(
                fields,
                "        /// See [`{name}`].\n        #[serde(default)]\n        pub {field}: {name},"
            );
            let _ = writeln!(
                arms,
                "                {} => self.{field} = match offered(&Self::all(), name, value)? {{ {parse} _ => {name}::default() }},",
                literal(&option.name)
            );
            let _ = writeln!(
                chosen,
                "            if self.{field} != {name}::default() {{ chosen.insert({}.to_owned(), self.{field}.name().to_owned()); }}",
                literal(&option.name)
            );
            let _ = writeln!(list, "            ({}, &{:?}),", literal(&option.name), option.values);
        }
        let _ = writeln!(
            code,
            "/// The options of `{system}`.\npub mod {module} {{\n    use kernel::Verdict;\n    use serde::{{Deserialize, Serialize}};\n\n    use super::offered;\n\n{enums}\n\
             \x20   /// All options of `{system}`, each with its default.\n\
             \x20   #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]\n\
             \x20   #[serde(deny_unknown_fields)]\n\
             \x20   pub struct Options {{\n{fields}    }}\n\n\
             \x20   impl kernel::Options for Options {{\n\
             \x20       fn set(&mut self, name: &str, value: &str) -> Verdict<()> {{\n            match name {{\n{arms}\
             \x20               _ => {{ offered(&Self::all(), name, value)?; }}\n            }}\n            Ok(())\n        }}\n\n\
             \x20       fn all() -> Vec<(&'static str, &'static [&'static str])> {{\n            vec![\n{list}            ]\n        }}\n\n\
             \x20       fn chosen(&self) -> kernel::Chosen {{\n            let mut chosen = kernel::Chosen::new();\n{chosen}            chosen\n        }}\n    }}\n}}\n",
            module = field_name(system),
        );
    }
    code
}
