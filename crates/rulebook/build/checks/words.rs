//! The words: `words/{en,fr}/*.ftl`. Both languages must have the same messages
//! with the same variables; every message becomes a typed phrase. What the ledgers bring into the pages
//! under a name (a value of an option, a kind of rule) must have its word.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use fluent_syntax::ast;

use super::{Fault, const_name, field_name, files, literal, shown};

/// A message: its line and the variables it uses.
type Messages = BTreeMap<String, (usize, BTreeSet<String>)>;

/// Reads and checks the word files; the result is the code of the phrases and the texts. `named` are
/// the messages wanted for what the ledgers hold.
pub(super) fn read(root: &Path, named: &BTreeMap<String, String>, faults: &mut Vec<Fault>) -> String {
    let folder = root.join("words");
    let mut code = String::new();
    let mut texts = String::new();
    let mut names = Vec::new();
    let mut keys = BTreeSet::new();
    for english in files(&folder.join("en"), "ftl") {
        let stem = english.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let french = folder.join("fr").join(format!("{stem}.ftl"));
        let (en_name, fr_name) = (shown(root, &english), shown(root, &french));
        let en = messages(&english, &en_name, &stem, faults);
        let fr = messages(&french, &fr_name, &stem, faults);
        compare(&en, &en_name, &fr, &fr_name, faults);
        compare(&fr, &fr_name, &en, &en_name, faults);
        for (messages, name) in [(&en, &en_name), (&fr, &fr_name)] {
            let own = named.iter().filter(|(key, _)| key.split('-').next() == Some(stem.as_str()));
            for (key, what) in own.filter(|(key, _)| !messages.contains_key(*key)) {
                faults.push(format!("{name}:1: there is no message {key} for {what}"));
            }
        }
        let mut constants = String::new();
        for key in en.keys() {
            let short = key.strip_prefix(&format!("{stem}-")).unwrap_or(key);
            let _ = writeln!(
                constants,
                "    /// The message `{key}`.\n    pub const {}: Phrase = Phrase::declared({});",
                const_name(short),
                literal(key)
            );
            keys.insert(key.clone());
        }
        let _ = writeln!(
            code,
            "/// The messages of `{stem}`.\npub mod {} {{\n    use kernel::Phrase;\n\n{constants}}}\n",
            field_name(&stem)
        );
        let path =
            |language: &str| literal(&folder.join(language).join(format!("{stem}.ftl")).to_string_lossy());
        let _ = writeln!(
            texts,
            "    Text {{ en: include_str!({}), fr: include_str!({}) }},",
            path("en"),
            path("fr")
        );
        names.push(stem);
    }
    for french in files(&folder.join("fr"), "ftl") {
        let stem = french.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !names.contains(&stem) {
            faults.push(format!("{}:1: there is no English file beside it", shown(root, &french)));
        }
    }
    let all: String =
        keys.iter().map(|key| format!("    ::kernel::Phrase::declared({}),\n", literal(key))).collect();
    let all =
        format!("/// Every phrase, by its key.\npub(crate) static ALL: &[::kernel::Phrase] = &[\n{all}];\n");
    format!("{code}{all}pub(crate) static WORDS: &[Text] = &[\n{texts}];\n")
}

fn messages(path: &Path, name: &str, stem: &str, faults: &mut Vec<Fault>) -> Messages {
    let mut result = Messages::new();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            faults.push(format!("{name}:1: {error}"));
            return result;
        }
    };
    let line_of = |offset: usize| text[..offset.min(text.len())].matches('\n').count() + 1;
    let resource = match fluent_syntax::parser::parse(text.as_str()) {
        Ok(resource) => resource,
        Err((_, errors)) => {
            for error in errors {
                faults.push(format!("{name}:{}: {error}", line_of(error.pos.start)));
            }
            return result;
        }
    };
    for entry in resource.body {
        let ast::Entry::Message(message) = entry else { continue };
        let key = message.id.name;
        let line = line_of(key.as_ptr() as usize - text.as_ptr() as usize);
        if !key.starts_with(&format!("{stem}-")) {
            faults.push(format!("{name}:{line}: the key {key} does not begin with {stem}-"));
        }
        let mut variables = BTreeSet::new();
        match &message.value {
            Some(pattern) => pattern_variables(pattern, &mut variables),
            None => faults.push(format!("{name}:{line}: the message {key} is empty")),
        }
        if result.insert(key.to_owned(), (line, variables)).is_some() {
            faults.push(format!("{name}:{line}: the message {key} stands twice"));
        }
    }
    result
}

fn compare(one: &Messages, one_name: &str, other: &Messages, other_name: &str, faults: &mut Vec<Fault>) {
    for (key, (line, variables)) in one {
        match other.get(key) {
            None => faults.push(format!("{one_name}:{line}: {other_name} lacks the message {key}")),
            Some((_, others)) if !variables.is_subset(others) => {
                let missing: Vec<&str> = variables.difference(others).map(String::as_str).collect();
                faults.push(format!(
                    "{one_name}:{line}: in {other_name} the message {key} does not use {}",
                    missing.join(", ")
                ));
            }
            Some(_) => {}
        }
    }
}

fn pattern_variables(pattern: &ast::Pattern<&str>, into: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let ast::PatternElement::Placeable { expression } = element {
            expression_variables(expression, into);
        }
    }
}

fn expression_variables(expression: &ast::Expression<&str>, into: &mut BTreeSet<String>) {
    match expression {
        ast::Expression::Inline(inline) => inline_variables(inline, into),
        ast::Expression::Select { selector, variants } => {
            inline_variables(selector, into);
            for variant in variants {
                pattern_variables(&variant.value, into);
            }
        }
    }
}

fn inline_variables(inline: &ast::InlineExpression<&str>, into: &mut BTreeSet<String>) {
    match inline {
        ast::InlineExpression::VariableReference { id } => {
            into.insert(id.name.to_owned());
        }
        ast::InlineExpression::Placeable { expression } => expression_variables(expression, into),
        ast::InlineExpression::FunctionReference { arguments, .. } => {
            for argument in &arguments.positional {
                inline_variables(argument, into);
            }
        }
        _ => {}
    }
}
