//! A light reading of Rust: which tests there are, which numbers stand in them, which helpers they
//! call. No more of the language than that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::numbers::{Number, Numbers, stated};

/// All functions and constants of the sources.
pub(super) struct Tests {
    items: Vec<Item>,
}

/// A function or a constant.
struct Item {
    file: PathBuf,
    name: String,
    test: bool,
    numbers: Numbers,
    words: BTreeSet<String>,
}

/// The tests that bear the id of an example.
pub(super) struct Found {
    pub(super) names: Vec<String>,
    /// The numbers of their bodies.
    pub(super) body: Numbers,
    /// And of the helpers of the same file they call.
    pub(super) reach: Numbers,
}

impl Tests {
    pub(super) fn read(files: &[(PathBuf, String)]) -> Self {
        Self { items: files.iter().flat_map(|(file, text)| items(file, &tokens(text))).collect() }
    }

    /// The tests of an example; none when nothing bears its id.
    pub(super) fn of(&self, example: &str) -> Option<Found> {
        let tests: Vec<&Item> =
            self.items.iter().filter(|item| item.test && bears(&item.name, example)).collect();
        if tests.is_empty() {
            return None;
        }
        let mut found = Found {
            names: tests.iter().map(|item| item.name.clone()).collect(),
            body: Numbers::default(),
            reach: Numbers::default(),
        };
        let mut seen: BTreeSet<(&Path, &str)> = BTreeSet::new();
        let mut open = tests.clone();
        for test in &tests {
            found.body.join(&test.numbers);
        }
        while let Some(item) = open.pop() {
            if seen.insert((&item.file, &item.name)) {
                found.reach.join(&item.numbers);
                open.extend(self.items.iter().filter(|helper| {
                    !helper.test && helper.file == item.file && item.words.contains(&helper.name)
                }));
            }
        }
        Some(found)
    }
}

/// Whether the name of a test has the id of an example in it, as a whole.
fn bears(test: &str, example: &str) -> bool {
    let id = example.to_lowercase().replace(['-', '.'], "_");
    test.match_indices(&id).any(|(at, found)| {
        let before = test[..at].chars().next_back();
        let after = test[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(Number),
    Text(String),
    Mark(char),
}

/// The functions and constants among the tokens of a file.
fn items(file: &Path, tokens: &[Token]) -> Vec<Item> {
    let mut items = BTreeMap::new();
    for at in 0..tokens.len() {
        let (Token::Word(kind), Some(Token::Word(name))) = (&tokens[at], tokens.get(at + 1)) else {
            continue;
        };
        let end = match kind.as_str() {
            "fn" => end_of_block(tokens, at),
            "const" | "static" => end_of_statement(tokens, at),
            _ => continue,
        };
        let body = &tokens[at + 2..end];
        let test =
            tokens[..at].ends_with(&[Token::Mark('['), Token::Word("test".to_owned()), Token::Mark(']')]);
        items.insert(
            at,
            Item {
                file: file.to_path_buf(),
                name: name.clone(),
                test,
                numbers: numbers(body),
                words: body
                    .iter()
                    .filter_map(|token| match token {
                        Token::Word(word) => Some(word.clone()),
                        _ => None,
                    })
                    .collect(),
            },
        );
    }
    items.into_values().collect()
}

/// The end of the first block in braces; of a declaration without one, its semicolon.
fn end_of_block(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            Token::Mark(';') if depth == 0 => return at,
            _ => {}
        }
    }
    tokens.len()
}

fn end_of_statement(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Mark('{' | '[' | '(') => depth += 1,
            Token::Mark('}' | ']' | ')') => depth = depth.saturating_sub(1),
            Token::Mark(';') if depth == 0 => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// The numbers of a piece of code: its literals, those in its texts, and those in the names of its
/// choices (`Calibre::P12`). A place in a list (`hits[0]`) or a field (`pair.1`) is none.
fn numbers(tokens: &[Token]) -> Numbers {
    let mut numbers = Numbers::default();
    for (at, token) in tokens.iter().enumerate() {
        let before = |steps: usize| at.checked_sub(steps).map(|place| &tokens[place]);
        match token {
            Token::Number(number) => {
                let place = before(1) == Some(&Token::Mark('['))
                    && tokens.get(at + 1) == Some(&Token::Mark(']'))
                    && matches!(before(2), Some(Token::Word(_) | Token::Mark(')' | ']')));
                if !place {
                    numbers.add(*number);
                }
            }
            Token::Text(text) => stated(text).into_iter().for_each(|number| numbers.add(number)),
            Token::Word(word) if word.starts_with(char::is_uppercase) && !word.contains('_') => {
                let digits = word.trim_start_matches(|letter: char| !letter.is_ascii_digit());
                if let Some(number) = Number::read(digits) {
                    numbers.add(number);
                }
            }
            Token::Word(_) | Token::Mark(_) => {}
        }
    }
    numbers
}

fn tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        match letter {
            '/' if next == Some('/') => at = skip_to(&letters, at, &['\n']),
            '/' if next == Some('*') => at = skip_to(&letters, at + 2, &['*', '/']),
            '"' => at = quoted(&letters, at, &mut tokens),
            'r' if matches!(next, Some('"' | '#')) => at = raw(&letters, at, &mut tokens),
            '\'' => at = character(&letters, at),
            _ if letter.is_ascii_digit() => {
                // `pair.1` is a field, `0..1` is not.
                let before = |steps| at.checked_sub(steps).and_then(|place| letters.get(place));
                let field = before(1) == Some(&'.') && before(2) != Some(&'.');
                at = number(&letters, at, field, &mut tokens);
            }
            _ if letter.is_alphanumeric() || letter == '_' => {
                let start = at;
                while letters.get(at).is_some_and(|next| next.is_alphanumeric() || *next == '_') {
                    at += 1;
                }
                tokens.push(Token::Word(letters[start..at].iter().collect()));
            }
            _ => {
                if !letter.is_whitespace() {
                    tokens.push(Token::Mark(letter));
                }
                at += 1;
            }
        }
    }
    tokens
}

/// The place behind the next occurrence of some letters.
fn skip_to(letters: &[char], from: usize, end: &[char]) -> usize {
    let found = letters[from..].windows(end.len()).position(|window| window == end);
    found.map_or(letters.len(), |place| from + place + end.len())
}

fn quoted(letters: &[char], from: usize, tokens: &mut Vec<Token>) -> usize {
    let mut text = String::new();
    let mut at = from + 1;
    while let Some(&letter) = letters.get(at) {
        match letter {
            '"' => break,
            '\\' => at += 1,
            _ => text.push(letter),
        }
        at += 1;
    }
    tokens.push(Token::Text(text));
    at + 1
}

/// `r"…"`, `r#"…"#`; a word that only begins like it is a word.
fn raw(letters: &[char], from: usize, tokens: &mut Vec<Token>) -> usize {
    let hashes = letters[from + 1..].iter().take_while(|letter| **letter == '#').count();
    let open = from + 1 + hashes;
    if letters.get(open) != Some(&'"') {
        tokens.push(Token::Word("r".to_owned()));
        return from + 1;
    }
    let mut end = vec!['"'];
    end.extend(std::iter::repeat_n('#', hashes));
    let behind = skip_to(letters, open + 1, &end);
    tokens.push(Token::Text(letters[open + 1..behind.saturating_sub(end.len())].iter().collect()));
    behind
}

/// A character, or a lifetime: neither holds a number.
fn character(letters: &[char], from: usize) -> usize {
    match (letters.get(from + 1), letters.get(from + 2)) {
        (Some('\\'), _) => skip_to(letters, from + 3, &['\'']),
        (Some(_), Some('\'')) => from + 3,
        _ => from + 1,
    }
}

/// A literal with its type; behind a point it is the number of a field.
fn number(letters: &[char], from: usize, field: bool, tokens: &mut Vec<Token>) -> usize {
    let digits = |mut at: usize| {
        while letters.get(at).is_some_and(|letter| letter.is_ascii_digit() || *letter == '_') {
            at += 1;
        }
        at
    };
    let mut at = digits(from);
    if !field && letters.get(at) == Some(&'.') && letters.get(at + 1).is_some_and(char::is_ascii_digit) {
        at = digits(at + 1);
    }
    let text: String = letters[from..at].iter().collect();
    if !field {
        tokens.extend(Number::read(&text).map(Token::Number));
    }
    while letters.get(at).is_some_and(|letter| letter.is_alphanumeric() || *letter == '_') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(body: &str, number: &str) -> bool {
        let source = format!("#[test] fn fe_ex_01() {{ {body} }}");
        let tests = Tests::read(&[(PathBuf::from("crates/a/src/a.rs"), source)]);
        tests.of("FE-EX-01").unwrap().body.hold(Number::read(number).unwrap(), false)
    }

    #[test]
    fn an_example_is_found_by_its_whole_id() {
        assert!(bears("fire::tests::fe_ex_07", "FE-EX-07"));
        assert!(bears("te_ex_04_into_a_wood", "TE-EX-04"));
        assert!(bears("a_wall_fe_ex_51", "FE-EX-51"));
        assert!(!bears("fe_ex_070", "FE-EX-07"));
        assert!(!bears("fe_ex_13_14", "FE-EX-14"));
    }

    #[test]
    fn literals_and_texts_count_and_nothing_else() {
        for body in [
            "f(12)",
            "f(12_u8)",
            "f(12.0)",
            "f(\"12 men\")",
            "f(r#\"{\"n\": 12}\"#)",
            "Calibre::P12",
            "[12]",
            "0..12",
        ] {
            assert!(held(body, "12"), "{body}");
        }
        for body in ["// 12", "/* 12 */ f()", "hits[12]", "pair.12", "fe_12()", "rule!(FE_12)", "'1'; 2"] {
            assert!(!held(body, "12"), "{body}");
        }
        assert!(held("f('\"'); g('\\''); h(4.5)", "4.5"));
        assert!(held("fn f<'a>(x: &'a str) { 7 }", "7"));
    }

    #[test]
    fn helpers_of_the_same_file_are_reached() {
        let file = |path: &str, text: &str| (PathBuf::from(path), text.to_owned());
        let tests = Tests::read(&[
            file(
                "crates/a/tests/a.rs",
                "const N: u8 = 3; fn one() { two(N) } fn two() { 5 } #[test] fn fe_ex_01() { one() }",
            ),
            file("crates/a/tests/b.rs", "fn two() { 7 }"),
        ]);
        let reach = tests.of("FE-EX-01").unwrap().reach;
        let held = [3, 5, 7].map(|n| reach.hold(Number::read(&n.to_string()).unwrap(), false));
        assert_eq!(held, [true, true, false]);
    }
}
