//! map
use rulebook::Lang;
/// The map.
#[must_use]
pub fn map_svg(_lang: Lang) -> String {
    String::new()
}
