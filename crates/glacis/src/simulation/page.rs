//! What many games came to as one page of HTML that needs nothing else: tables, and plots as SVG.

use kernel::{Fact, Phrase};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rulebook::{Lang, phrase::simulate as words};

use super::summary::{Counts, Summary, real};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: light-dark(#222, #ddd); --faint: light-dark(#0002, #fff3);
  --bar: light-dark(#31618f, #7fb0df); --band: light-dark(#31618f33, #7fb0df44); }
body { font: 1rem/1.5 Georgia, serif; color: var(--ink); background: light-dark(#fbf9f4, #1b1b1d);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .15rem .8rem .15rem 0; text-align: left; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; } figure { margin: 1.5rem 0; }
text { font: 12px sans-serif; fill: var(--ink); } .axis { stroke: var(--faint); }
.bar { fill: var(--bar); } .band { fill: var(--band); } .line { fill: none; stroke: var(--bar); stroke-width: 2; }
.whisker { stroke: var(--ink); stroke-width: 1.5; }
@media (max-width: 40rem) { .scroll { overflow-x: auto; } }
";

/// The page: a title, what was played, and what came of it.
#[must_use]
pub fn page(title: &str, played: &str, summary: &Summary, lang: Lang) -> String {
    let say = |phrase: Phrase| rulebook::speak(phrase, &[], lang);
    let sheet = html! {
        (DOCTYPE)
        html lang=(lang.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p { (played) }
                h2 { (say(words::HEAD_ENDS)) }
                (ends(summary, lang))
                @if !summary.turns.is_empty() {
                    h2 { (say(words::TURNS)) }
                    @let bars: Vec<(String, u64)> =
                        summary.turns.iter().map(|(turn, times)| (turn.to_string(), *times)).collect();
                    (bars_of(&say(words::TURNS), &bars))
                }
                h2 { (say(words::HEAD_LENGTH)) }
                @let bars: Vec<(String, u64)> =
                    summary.lengths.bins(16).iter().map(|(from, times)| (from.to_string(), *times)).collect();
                (bars_of(&say(words::HEAD_LENGTH), &bars))
                @for (gauge, turns) in &summary.curves {
                    @let name = rulebook::speak_key(&format!("server-gauge-{gauge}"), lang);
                    h2 { (name) }
                    @if turns.len() > 2 {
                        (curve(&name, turns, lang))
                    }
                    (causes(summary, gauge, lang))
                }
            }
        }
    };
    sheet.into_string()
}

/// The name of an end; games that were given up have none.
pub(crate) fn end_name(result: Option<&str>, lang: Lang) -> String {
    result.map_or_else(
        || {
            let most = Fact { name: "decisions", value: i64::from(opponent::LONGEST).into() };
            rulebook::speak(words::UNFINISHED, &[most], lang)
        },
        str::to_owned,
    )
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn ends(summary: &Summary, lang: Lang) -> Markup {
    let say = |phrase: Phrase| rulebook::speak(phrase, &[], lang);
    let height = 30 * summary.results.len() + 10;
    html! {
        div.scroll { table {
            thead { tr {
                th { (say(words::COLUMN_END)) } th.n { (say(words::COLUMN_GAMES)) }
                th.n { "%" } th.n { (say(words::COLUMN_INTERVAL)) }
            } }
            tbody {
                @for (result, times) in &summary.results {
                    @let share = summary.share(*times);
                    tr {
                        td { (end_name(result.as_deref(), lang)) }
                        td.n { (times) }
                        td.n { (percent(share.part)) }
                        td.n { (percent(share.low)) "–" (percent(share.high)) }
                    }
                }
            }
        } }
        figure {
            svg viewBox=(format!("0 0 640 {height}")) role="img" aria-label=(say(words::HEAD_ENDS)) {
                @for (place, (result, times)) in (0_u32..).zip(&summary.results) {
                    @let share = summary.share(*times);
                    @let y = 30 * place + 8;
                    text x="0" y=(y + 14) { (end_name(result.as_deref(), lang)) }
                    rect.bar x="180" y=(y) width=(format!("{:.1}", share.part * 440.0)) height="18" {}
                    line.whisker x1=(format!("{:.1}", 180.0 + share.low * 440.0)) y1=(y + 9)
                        x2=(format!("{:.1}", 180.0 + share.high * 440.0)) y2=(y + 9) {}
                }
            }
        }
    }
}

/// Upright bars with their names below.
fn bars_of(label: &str, bars: &[(String, u64)]) -> Markup {
    let most = bars.iter().map(|(_, times)| *times).max().unwrap_or(1).max(1);
    let count = f64::from(u32::try_from(bars.len().max(1)).unwrap_or(u32::MAX));
    let width = 620.0 / count;
    html! {
        figure {
            svg viewBox="0 0 640 220" role="img" aria-label=(label) {
                line.axis x1="10" y1="190" x2="630" y2="190" {}
                @for (place, (name, times)) in (0_u32..).zip(bars) {
                    @let tall = 160.0 * real(*times) / real(most);
                    @let x = 10.0 + width * f64::from(place);
                    rect.bar x=(format!("{:.1}", x + 1.0)) y=(format!("{:.1}", 190.0 - tall))
                        width=(format!("{:.1}", (width - 2.0).max(1.0))) height=(format!("{tall:.1}")) {}
                    text x=(format!("{:.1}", x + width / 2.0)) y="206" text-anchor="middle" { (name) }
                    @if *times > 0 {
                        text x=(format!("{:.1}", x + width / 2.0)) y=(format!("{:.1}", 186.0 - tall))
                            text-anchor="middle" { (times) }
                    }
                }
            }
        }
    }
}

/// The median of a gauge over the turns, with the band in which the middle half of the games lies.
fn curve(name: &str, turns: &[Counts<i64>], lang: Lang) -> Markup {
    let quantile = |percent: u64| -> Vec<i64> {
        turns.iter().map(|seen| seen.quantile(percent).unwrap_or_default()).collect()
    };
    let (low, middle, high) = (quantile(25), quantile(50), quantile(75));
    let least = low.iter().copied().min().unwrap_or(0).min(0);
    let most = high.iter().copied().max().unwrap_or(1).max(least + 1);
    #[expect(clippy::cast_precision_loss, reason = "a drawing")]
    let at = |place: usize, value: i64| {
        let x = 40.0 + 590.0 * place as f64 / (turns.len() - 1).max(1) as f64;
        let y = 190.0 - 175.0 * (value - least) as f64 / (most - least) as f64;
        format!("{x:.1},{y:.1}")
    };
    let line: Vec<String> = middle.iter().enumerate().map(|(place, value)| at(place, *value)).collect();
    let above = high.iter().enumerate().map(|(place, value)| at(place, *value));
    let below = low.iter().enumerate().rev().map(|(place, value)| at(place, *value));
    let band: Vec<String> = above.chain(below).collect();
    let caption = rulebook::speak(words::BAND, &[], lang);
    html! {
        figure {
            svg viewBox="0 0 640 220" role="img" aria-label=(name) {
                line.axis x1="40" y1="190" x2="630" y2="190" {}
                text x="34" y="194" text-anchor="end" { (least) }
                text x="34" y="20" text-anchor="end" { (most) }
                polygon.band points=(band.join(" ")) {}
                polyline.line points=(line.join(" ")) {}
                @for turn in 0..turns.len() {
                    @let x = at(turn, least);
                    text x=(x.split(',').next().unwrap_or("0")) y="208" text-anchor="middle" { (turn) }
                }
            }
            figcaption { (caption) }
        }
    }
}

/// What changed a gauge, a game.
fn causes(summary: &Summary, gauge: &str, lang: Lang) -> Markup {
    let say = |phrase: Phrase| rulebook::speak(phrase, &[], lang);
    let causes = summary.causes(gauge);
    html! {
        @if !causes.is_empty() {
            div.scroll { table {
                thead { tr { th { (say(words::COLUMN_CAUSE)) } th.n { (say(words::COLUMN_A_GAME)) } } }
                tbody {
                    @for (kind, change) in causes.iter().take(12) {
                        tr { td { code { (kind) } } td.n { (format!("{change:+.2}")) } }
                    }
                }
            } }
        }
    }
}
