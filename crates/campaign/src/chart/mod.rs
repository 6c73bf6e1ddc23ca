//! charts
use rulebook::Lang;
/// The charts.
#[must_use]
pub fn charts(_lang: Lang) -> Vec<(String, String)> {
    Vec::new()
}
