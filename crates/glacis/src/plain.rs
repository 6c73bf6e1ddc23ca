//! Text that others wrote, for a terminal or a log: what would move the cursor, end the line or turn the
//! text round is shown and not done.

/// The text with every such character written out: `\u{1b}` for an escape.
///
/// ```
/// assert_eq!(glacis::printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
/// assert_eq!(glacis::printable("« À l’assaut ! »"), "« À l’assaut ! »");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || turns(letter) {
            plain.extend(letter.escape_default());
        } else {
            plain.push(letter);
        }
    }
    plain
}
