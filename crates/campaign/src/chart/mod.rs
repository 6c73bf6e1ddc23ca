//! The fifteen charts of the book as sheets for the table: clean HTML, printable, made from the
//! very tables the questions read. Under each stand the rules that go with it, from the ledger.

mod fighting;
mod marching;
mod state;

use std::fmt::Write;

use kernel::{Chosen, Phrase, RuleId};
use rulebook::{Lang, phrase::campaign as phrase, speak, text};

/// A sheet before it is printed.
struct Sheet {
    /// The name of its file, without ending.
    name: &'static str,
    /// Its title.
    title: Phrase,
    /// Its tables, as HTML.
    body: String,
    /// The rules printed below.
    notes: Vec<RuleId>,
}

/// The fifteen charts: file name and HTML, in the order of the book.
///
/// ```
/// let sheets = campaign::charts(rulebook::Lang::En);
/// assert_eq!(sheets.len(), 15);
/// assert_eq!(sheets[5].0, "06-combat.html");
/// ```
#[must_use]
pub fn charts(lang: Lang) -> Vec<(String, String)> {
    let sheets = [
        marching::terrain(lang),
        marching::hexsides(lang),
        marching::attrition(lang),
        fighting::artillery(lang),
        state::vienna(lang),
        fighting::combat(lang),
        state::negotiation(lang),
        state::admin(lang),
        state::ultimatum(lang),
        state::weather(lang),
        fighting::initiative(lang),
        fighting::pursuit(lang),
        fighting::cavalry(lang),
        marching::bridges(lang),
        marching::communications(lang),
    ];
    sheets
        .iter()
        .enumerate()
        .map(|(place, sheet)| (format!("{:02}-{}.html", place + 1, sheet.name), page(sheet, place + 1, lang)))
        .collect()
}

const STYLE: &str = "
@page { size: A4 landscape; margin: 12mm }
html { background: #e7dcc2 }
body { margin: 2rem auto; max-width: 62rem; padding: 2.2rem 2.6rem; background: #f7f0de; color: #3a2e22;
  border: 1px solid #3a2e22; outline: .5px solid #3a2e22; outline-offset: 4px;
  font: 15px/1.4 'Libertinus Serif', 'EB Garamond', Garamond, 'Palatino Linotype', Palatino, 'DejaVu Serif', serif }
header { display: flex; align-items: baseline; justify-content: space-between; border-bottom: 1.5px solid #3a2e22;
  margin-bottom: 1.1rem }
h1 { font-size: 1.7rem; font-weight: 500; letter-spacing: .03em; margin: 0 0 .25rem }
header span { font-style: italic; color: #7a6448 }
table { border-collapse: collapse; margin: 0 0 1.1rem; font-variant-numeric: tabular-nums lining-nums; width: 100% }
caption { text-align: left; font-style: italic; color: #7a6448; padding-bottom: .2rem }
th, td { padding: .28rem .55rem; text-align: center; border-bottom: .5px solid #c9b893 }
thead th { font-weight: 500; font-size: .86rem; color: #5d4630; border-bottom: 1px solid #3a2e22; vertical-align: bottom }
tbody th { font-weight: 500; text-align: left; white-space: nowrap; border-right: .5px solid #c9b893 }
tbody tr:nth-child(even) { background: #f1e7cf }
td b { font-weight: 700; color: #7d2f24 }
.rule { border-left: .5px solid #3a2e22 }
h2 { font-size: .8rem; font-weight: 500; letter-spacing: .14em; text-transform: uppercase; margin: 1.1rem 0 .3rem; color: #5d4630 }
.notes { columns: 2; column-gap: 2.2rem; font-size: .82rem; line-height: 1.32; padding: 0; margin: 0; list-style: none }
.notes li { break-inside: avoid; padding-left: 1em; text-indent: -1em; margin-bottom: .22rem }
.notes small { color: #8f7450; white-space: nowrap }
@media print { html, body { background: #fff } body { margin: 0; max-width: none; border: 0; outline: 0; padding: 0 }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
";

fn page(sheet: &Sheet, number: usize, lang: Lang) -> String {
    let title = word(sheet.title, lang);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head>\n<body>\
         <header><h1>{title}</h1><span>{game} · {number}/15</span></header>\n{body}",
        code = lang.code(),
        game = word(phrase::CHART_GAME, lang),
        body = sheet.body,
    );
    let _ = write!(html, "<h2>{}</h2><ul class=\"notes\">", word(phrase::CHART_NOTES, lang));
    for &rule in &sheet.notes {
        let _ =
            write!(html, "<li>{} <small>{rule}</small></li>", escaped(text(rule, &Chosen::default(), lang)));
    }
    html.push_str("</ul></body></html>\n");
    html
}

/// A word, ready for HTML.
fn word(phrase: Phrase, lang: Lang) -> String {
    escaped(&speak(phrase, &[], lang))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A decimal number as the language writes it.
fn number(value: impl std::fmt::Display, lang: Lang) -> String {
    let text = value.to_string();
    if lang == Lang::Fr { text.replace('.', ",") } else { text }
}

/// A number with its sign; the minus is a minus.
fn signed(value: i32) -> String {
    match value {
        0 => "0".to_owned(),
        above if above > 0 => format!("+{above}"),
        below => format!("−{}", below.unsigned_abs()),
    }
}

/// A table being written.
struct Table {
    html: String,
}

impl Table {
    fn new(caption: Option<String>) -> Self {
        let caption = caption.map_or_else(String::new, |caption| format!("<caption>{caption}</caption>"));
        Self { html: format!("<table>{caption}<thead>") }
    }

    /// A row of headings, each over so many columns.
    fn head(mut self, cells: &[(String, usize)]) -> Self {
        self.html.push_str("<tr>");
        for (cell, span) in cells {
            let class = if *span > 1 { " class=\"rule\"" } else { "" };
            let _ = write!(self.html, "<th colspan=\"{span}\"{class}>{cell}</th>");
        }
        self.html.push_str("</tr>");
        self
    }

    /// The rows, each with its own heading.
    fn rows(mut self, rows: impl IntoIterator<Item = (String, Vec<String>)>) -> String {
        self.html.push_str("</thead><tbody>");
        for (heading, cells) in rows {
            let _ = write!(self.html, "<tr><th>{heading}</th>");
            for cell in cells {
                let _ = write!(self.html, "<td>{cell}</td>");
            }
            self.html.push_str("</tr>\n");
        }
        self.html.push_str("</tbody></table>\n");
        self.html
    }
}

/// Headings of one column each.
fn singles<S: Into<String>>(cells: impl IntoIterator<Item = S>) -> Vec<(String, usize)> {
    cells.into_iter().map(|cell| (cell.into(), 1)).collect()
}
