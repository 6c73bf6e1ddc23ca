//! Numbers: of a sentence of the ledgers, and of the literals of a test.

use std::collections::BTreeSet;
use std::fmt;

/// A number without its sign, in thousandths: a dash in a sentence may be a minus or a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number(u64);

impl Number {
    /// `12`, `4.5`, `1_250`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.replace('_', "");
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let whole: u64 = whole.parse().ok()?;
        if !fraction.chars().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let thousandths: u64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
        whole.checked_mul(1000)?.checked_add(thousandths).map(Self)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:03}", self.0 % 1000);
        let fraction = fraction.trim_end_matches('0');
        write!(f, "{}", self.0 / 1000)?;
        if fraction.is_empty() { Ok(()) } else { write!(f, ".{fraction}") }
    }
}

/// The numbers of a piece of code.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(BTreeSet<Number>);

impl Numbers {
    pub(super) fn add(&mut self, number: Number) {
        self.0.insert(number);
    }

    pub(super) fn join(&mut self, others: &Self) {
        self.0.extend(&others.0);
    }

    /// Whether a number stands there as it is, or in hundredths.
    pub(super) fn hold(&self, number: Number, in_hundredths: bool) -> bool {
        self.0.contains(&number)
            || ((in_hundredths || !number.0.is_multiple_of(1000)) && self.0.contains(&Number(number.0 * 100)))
    }
}

/// A piece of a sentence that matters here.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    Number(Number),
    /// `=` or `->`: what follows comes of what precedes.
    Gives,
    /// The end of a clause.
    End,
}

/// Every number of a sentence. Ids of rules, names such as `Q1`, and the numbers of phases and steps
/// (`phase 2.2`, `4.7.1`) are no numbers.
pub(super) fn stated(sentence: &str) -> Vec<Number> {
    let numbers = pieces(sentence).into_iter().filter_map(|piece| match piece {
        Piece::Number(number) => Some(number),
        Piece::Gives | Piece::End => None,
    });
    numbers.collect()
}

/// The numbers that an expectation wants. In `4 + 1 + 1 = 6` the sum is wanted; its parts are the
/// working, and need not stand where the sum does.
pub(super) fn expected(sentence: &str, stands: impl Fn(Number) -> bool) -> Vec<Number> {
    let pieces = pieces(sentence);
    let mut wanted = Vec::new();
    for clause in pieces.split(|piece| *piece == Piece::End) {
        let proven = clause.windows(2).rposition(|pair| match pair {
            [Piece::Gives, Piece::Number(result)] => stands(*result),
            _ => false,
        });
        let rest = &clause[proven.map_or(0, |at| at + 1)..];
        wanted.extend(rest.iter().filter_map(|piece| match piece {
            Piece::Number(number) => Some(*number),
            Piece::Gives | Piece::End => None,
        }));
    }
    wanted
}

/// Whether a sentence measures lengths on the table: in centimetres, or to the hundredth.
pub(super) fn measures(sentence: &str) -> bool {
    let to_the_hundredth = |word: &str| {
        word.split_once('.').is_some_and(|(whole, fraction)| {
            fraction.len() == 2 && [whole, fraction].iter().all(|part| part.parse::<u32>().is_ok())
        })
    };
    sentence.contains("cm") || sentence.split([' ', ',', ';']).any(to_the_hundredth)
}

fn pieces(sentence: &str) -> Vec<Piece> {
    let letters: Vec<char> = sentence.chars().collect();
    let mut pieces = Vec::new();
    let mut last_word = String::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let start = at;
        if letter.is_ascii_digit() {
            at = end_of_number(&letters, at);
            let text: String = letters[start..at].iter().collect();
            let named =
                ["phase", "step", "steps", "section"].contains(&last_word.as_str()) && text.contains('.');
            if text.matches('.').count() < 2 && !named {
                pieces.extend(Number::read(&text).map(Piece::Number));
            }
            // The letters behind it belong to it: 3rd, 1d6.
            while letters.get(at).is_some_and(|next| next.is_alphabetic() && *next != 'x') {
                at += 1;
                if letters.get(at).is_some_and(char::is_ascii_digit) {
                    pieces.pop();
                    at = end_of_number(&letters, at);
                }
            }
        } else if letter == 'x' && letters.get(at + 1).is_some_and(char::is_ascii_digit) {
            at += 1;
        } else if letter.is_alphabetic() {
            at = end_of_word(&letters, at);
            last_word = letters[start..at].iter().collect::<String>().to_lowercase();
        } else {
            at += 1;
            let next = letters.get(at).copied();
            let before = start.checked_sub(1).map(|place| letters[place]);
            match letter {
                '-' if next == Some('>') => pieces.push(Piece::Gives),
                '=' if !matches!(before, Some('<' | '>')) => pieces.push(Piece::Gives),
                ';' | ',' | ':' | '.' if next.is_none_or(char::is_whitespace) => pieces.push(Piece::End),
                _ => {}
            }
        }
    }
    pieces
}

/// Digits, with a decimal point only before another digit.
fn end_of_number(letters: &[char], from: usize) -> usize {
    let mut at = from;
    while letters.get(at).is_some_and(|letter| {
        letter.is_ascii_digit() || (*letter == '.' && letters.get(at + 1).is_some_and(char::is_ascii_digit))
    }) {
        at += 1;
    }
    at
}

/// Letters, and what belongs to a name: `Q1`, `FE-4.3-08`, `CA-attrition-19`, `max_m`.
fn end_of_word(letters: &[char], from: usize) -> usize {
    let id =
        letters.get(from + 2) == Some(&'-') && letters[from..from + 2].iter().all(char::is_ascii_uppercase);
    let mut at = from;
    while let Some(letter) = letters.get(at) {
        let inside = letters.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        if !(letter.is_alphanumeric() || *letter == '_' || (id && inside && matches!(letter, '-' | '.'))) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(numbers: &[Number]) -> Vec<String> {
        numbers.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_and_references_are_no_numbers() {
        assert_eq!(texts(&stated("Q1 and Q2, CA-R25, DZ-4.7.1-05, step 2.5.3, phase 2.2, 4.7.4")), [""; 0]);
        assert_eq!(
            texts(&stated("the 3rd, 12 pdr, 1d6, +1.50 cm, 4x1, -2; 5-6.")),
            ["3", "12", "1.5", "4", "1", "2", "5", "6"]
        );
    }

    #[test]
    fn the_working_of_a_sum_is_not_wanted_where_the_sum_stands() {
        let sentence = "4 + 1 = 5; 6 figures: 20; 5 - 1 = 4 <= 7";
        let stands = |number: Number| number.to_string() != "4";
        assert_eq!(texts(&expected(sentence, stands)), ["5", "6", "20", "5", "1", "4", "7"]);
        assert_eq!(texts(&expected("312.5 -> 315", |_| true)), ["315"]);
        assert_eq!(texts(&expected("10 <= 15", |_| true)), ["10", "15"]);
    }

    #[test]
    fn lengths_may_stand_in_hundredths() {
        assert!(measures("at 4 cm") && measures("musket at 5.00, 5.01") && !measures("phase 2.2, 4.5"));
        let mut numbers = Numbers::default();
        numbers.add(Number::read("450").unwrap());
        numbers.add(Number::read("1_200").unwrap());
        assert!(numbers.hold(Number::read("4.5").unwrap(), false));
        assert!(numbers.hold(Number::read("12").unwrap(), true));
        assert!(!numbers.hold(Number::read("12").unwrap(), false));
    }
}
