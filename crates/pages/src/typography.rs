//! Text as it is set in print. Words and ledgers are written with the signs of a keyboard; a page
//! enters as HTML and leaves with the apostrophes and the unbreakable spaces of French, and with
//! true minus signs. What is to be read letter by letter (code, a text being typed) stays.

use rulebook::Lang;

/// Elements whose text is not prose.
const VERBATIM: [&str; 6] = ["code", "kbd", "pre", "script", "style", "textarea"];

/// Attributes whose value is prose.
const SPOKEN: [&str; 5] = [" aria-label=", " title=", " placeholder=", " data-brief=", " content="];

/// Sets every text of a page or of a part of one.
pub(crate) fn set(lang: Lang, html: &str) -> String {
    let mut page = String::with_capacity(html.len() + html.len() / 32);
    let mut rest = html;
    while let Some((text, tagged)) = rest.split_once('<') {
        prose(lang, text, &mut page);
        page.push('<');
        // The signs `<` and `>` of a text or an attribute are always written as entities.
        let (tag, after) = tagged.split_once('>').unwrap_or((tagged, ""));
        attributes(lang, tag, &mut page);
        if tag.len() < tagged.len() {
            page.push('>');
        }
        rest = after;
        let name = tag.split_ascii_whitespace().next().unwrap_or_default();
        if VERBATIM.contains(&name) {
            let end = rest.find(&format!("</{name}")).unwrap_or(rest.len());
            page.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    prose(lang, rest, &mut page);
    page
}

fn attributes(lang: Lang, tag: &str, page: &mut String) {
    let mut name = "";
    // A quotation mark inside a value is an entity: every second part is a value.
    for (place, part) in tag.split('"').enumerate() {
        if place > 0 {
            page.push('"');
        }
        if place % 2 == 1 && SPOKEN.iter().any(|spoken| name.ends_with(spoken)) {
            prose(lang, part, page);
        } else {
            page.push_str(part);
        }
        name = part;
    }
}

fn prose(lang: Lang, text: &str, page: &mut String) {
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let after = letters.peek().copied();
        let letter = if letter == '-' { minus(before, after) } else { letter };
        let letter = if lang == Lang::Fr { french(before, letter, after) } else { letter };
        page.push(letter);
        before = Some(letter);
    }
}

/// A stroke before a figure is a minus, unless it ties the figure to a word.
fn minus(before: Option<char>, after: Option<char>) -> char {
    let free = before.is_none_or(|before| before.is_whitespace() || before == '(');
    if free && after.is_some_and(|after| after.is_ascii_digit()) { '−' } else { '-' }
}

fn french(before: Option<char>, letter: char, after: Option<char>) -> char {
    let word = |side: Option<char>| side.is_some_and(char::is_alphabetic);
    match (letter, after) {
        ('\'', _) if word(before) && word(after) => '’',
        (' ', Some(':' | '»' | '%')) => '\u{a0}',
        (' ', Some(';' | '?' | '!')) => '\u{202f}',
        (' ', _) if before == Some('«') => '\u{a0}',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_is_set_as_in_print() {
        let set = |html| set(Lang::Fr, html);
        assert_eq!(
            set("<p data-x=\"l'abri : -1\" title=\"l'abri\">L'abri d'ici : -1 (dur -2) ; 33,3 % ?</p>"),
            "<p data-x=\"l'abri : -1\" title=\"l’abri\">L’abri d’ici\u{a0}: −1 (dur −2)\u{202f}; 33,3\u{a0}%\u{202f}?</p>"
        );
        assert_eq!(set("« Dans la brèche ! »"), "«\u{a0}Dans la brèche\u{202f}!\u{a0}»");
        // Rule ids, ranges and quoted words keep their signs.
        assert_eq!(set("DZ-4.7.2-06, 1805-1807, 'x'"), "DZ-4.7.2-06, 1805-1807, 'x'");
    }

    #[test]
    fn what_is_no_prose_stays() {
        for verbatim in ["<pre><code>{\"l'a\" : -1}</code></pre>", "<textarea>d'un : -1</textarea>", "a <b"] {
            assert_eq!(set(Lang::Fr, verbatim), verbatim);
        }
        assert_eq!(set(Lang::En, "it's 5 % : -2"), "it's 5 % : −2");
    }
}
