//! What surrounds a map: the frame with its graduation, the cartouche with its scale bar, and the rose.
//! Both sheets lie with the east above, as the besieger sees the city.

use std::fmt::Write as _;

/// The style of what is drawn here, light and dark.
pub(super) const STYLE: &str = "\
.paper{fill:#f2e9d2}.sheet{fill:#f5edd9}.frame{fill:none;stroke:#2e2619}.ink{fill:#2e2619}.blank{fill:#f8f1df;stroke:#2e2619;stroke-width:.6}\
.title{font:21px Palatino,Georgia,serif;letter-spacing:2px;fill:#2e2619;text-anchor:middle}\
.sub{font:italic 12.5px Palatino,Georgia,serif;fill:#2e2619;text-anchor:middle}.num{font:10px Palatino,Georgia,serif;fill:#2e2619;text-anchor:middle}\
.north{font:600 13px Palatino,Georgia,serif;fill:#2e2619;text-anchor:middle}.rose{fill:none;stroke:#2e2619;stroke-width:.6}\
@media (prefers-color-scheme:dark){.paper,.sheet{fill:#1d2732}.frame,.rose{stroke:#cfd6d0}.ink{fill:#cfd6d0}\
.blank{fill:#1d2732;stroke:#cfd6d0}.title,.sub,.num,.north{fill:#e8ece4}}";

/// The frame of a sheet of this size, graduated every so many units.
pub(super) fn frame(svg: &mut String, (width, height): (f64, f64), every: f64) {
    let _ = write!(
        svg,
        "<rect class='frame' stroke-width='1.6' width='{width}' height='{height}'/>\
         <rect class='frame' stroke-width='.6' x='-6' y='-6' width='{:.1}' height='{:.1}'/>\
         <rect class='frame' stroke-width='1.4' x='-8.500' y='-8.500' width='{:.1}' height='{:.1}'/>",
        width + 12.0,
        height + 12.0,
        width + 17.0,
        height + 17.0
    );
    let (mut bars, mut ticks) = (String::new(), String::new());
    graduate(&mut bars, &mut ticks, (width, height), every, false);
    graduate(&mut bars, &mut ticks, (height, width), every, true);
    let _ = write!(svg, "<path class='ink' d='{bars}'/><path class='frame' stroke-width='.6' d='{ticks}'/>");
}

/// Graduates two opposite edges of this length and distance: every other interval is inked, as on the
/// sheets of the engineers.
fn graduate(bars: &mut String, ticks: &mut String, (length, apart): (f64, f64), every: f64, upright: bool) {
    let (along, across) = if upright { ('v', 'h') } else { ('h', 'v') };
    let place =
        |at: f64, off: f64| if upright { format!("M{off:.1} {at:.1}") } else { format!("M{at:.1} {off:.1}") };
    let (mut at, mut inked) = (0.0, true);
    while at < length {
        let long = every.min(length - at);
        for off in [-5.0, apart + 2.0].into_iter().filter(|_| inked) {
            let _ = write!(bars, "{}{along}{long:.1}{across}3{along}-{long:.1}Z", place(at, off));
        }
        for off in [-6.0, apart] {
            let _ = write!(ticks, "{}{across}6", place(at, off));
        }
        (at, inked) = (at + every, !inked);
    }
}

/// The scale: how long so much is on the sheet, and what it measures.
pub(super) struct Scale<'a> {
    /// Units of the sheet to a division.
    pub(super) division: f64,
    /// What stands under each division, from the left.
    pub(super) marks: &'a [&'a str],
}

/// A cartouche with its upper left corner there: a title, lines below it, and the scale.
pub(super) fn cartouche(
    svg: &mut String,
    (x, y): (f64, f64),
    title: &str,
    lines: &[String],
    scale: &Scale<'_>,
) {
    const WIDE: f64 = 292.0;
    let high = 78.0 + 17.0 * f64::from(u32::try_from(lines.len()).unwrap_or(0));
    let middle = WIDE / 2.0;
    let _ = write!(svg, "<g transform='translate({x:.1} {y:.1})'>");
    // A plate with hollowed corners, and a finer line within.
    let plate = |off: f64, cut: f64| {
        format!(
            "M{0:.1} {off:.1}H{1:.1}a{cut} {cut} 0 0 0 {cut} {cut}V{2:.1}a{cut} {cut} 0 0 0 -{cut} {cut}H{0:.1}\
             a{cut} {cut} 0 0 0 -{cut} -{cut}V{3:.1}a{cut} {cut} 0 0 0 {cut} -{cut}Z",
            off + cut,
            WIDE - off - cut,
            high - off - cut,
            off + cut
        )
    };
    let _ = write!(
        svg,
        "<path class='paper' d='{0}'/><path class='frame' stroke-width='1.3' d='{0}'/><path class='frame' \
         stroke-width='.5' d='{1}'/><text class='title' x='{middle}' y='34'>{title}</text>",
        plate(0.0, 10.0),
        plate(4.0, 10.0)
    );
    let rule = |y: f64| {
        format!(
            "<path class='frame' stroke-width='.6' d='M{:.1} {y}h56M{:.1} {y}h56'/><path class='ink' d='M{middle} {:.1}l4 3l-4 3l-4 -3Z'/>",
            middle - 64.0,
            middle + 8.0,
            y - 3.0
        )
    };
    svg.push_str(&rule(43.0));
    let mut at = 43.0;
    for line in lines {
        at += 17.0;
        let _ = write!(svg, "<text class='sub' x='{middle}' y='{at}'>{line}</text>");
    }
    let divisions = scale.marks.len().saturating_sub(1);
    let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(0));
    let left = middle - scale.division * count(divisions) / 2.0;
    let top = at + 10.0;
    for division in 0..divisions {
        let class = if division % 2 == 0 { "ink" } else { "blank" };
        let _ = write!(
            svg,
            "<rect class='{class}' x='{:.1}' y='{top}' width='{:.1}' height='4'/>",
            left + scale.division * count(division),
            scale.division
        );
    }
    let _ = write!(
        svg,
        "<rect class='frame' stroke-width='.6' x='{left:.1}' y='{top}' width='{:.1}' height='4'/>",
        scale.division * count(divisions)
    );
    for (number, mark) in scale.marks.iter().enumerate() {
        let _ = write!(
            svg,
            "<text class='num' x='{:.1}' y='{}'>{mark}</text>",
            left + scale.division * count(number),
            top + 15.0
        );
    }
    svg.push_str("</g>");
}

/// A rose of eight points about a place; north lies to the left on both sheets.
pub(super) fn rose(svg: &mut String, (x, y): (f64, f64), size: f64) {
    let _ = write!(svg, "<g transform='translate({x:.1} {y:.1})'><g transform='rotate(-90)'>");
    let _ = write!(
        svg,
        "<circle class='rose' r='{:.1}'/><circle class='rose' r='{:.1}'/>",
        size * 0.62,
        size * 0.56
    );
    for (turn, far) in [
        (45.0, 0.6),
        (135.0, 0.6),
        (225.0, 0.6),
        (315.0, 0.6),
        (90.0, 0.86),
        (180.0, 0.86),
        (270.0, 0.86),
        (0.0, 1.0),
    ] {
        let (long, half) = (size * far, size * 0.13);
        let _ = write!(
            svg,
            "<g transform='rotate({turn})'><path class='blank' d='M0 0L-{half:.1} -{half:.1}L0 -{long:.1}Z'/>\
             <path class='ink' d='M0 0L{half:.1} -{half:.1}L0 -{long:.1}Z'/></g>"
        );
    }
    let _ = write!(svg, "</g><text class='north' x='{:.1}' y='4.500'>N</text></g>", -size - 8.0);
}
