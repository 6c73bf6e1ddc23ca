//! The files beside the pages, embedded, with their hash in the name so that browsers may keep them.

use std::sync::{Arc, LazyLock};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::router::Pages;

/// A file, its type and its name with the hash.
pub(crate) struct Asset {
    /// `/assets/glacis.0123456789abcdef.css`
    pub(crate) path: String,
    kind: &'static str,
    text: String,
}

impl Asset {
    fn new(name: &str, ending: &str, kind: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let path = format!("/assets/{name}.{}.{ending}", &hash.as_str()[..16]);
        Self { path, kind, text }
    }
}

/// The style sheet.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("glacis", "css", "text/css; charset=utf-8", include_str!("../assets/glacis.css"))
});

/// The script.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("glacis", "js", "text/javascript; charset=utf-8", include_str!("../assets/glacis.js"))
});

/// The style sheet of the page of a game.
pub(crate) static GAME_STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("game", "css", "text/css; charset=utf-8", include_str!("../assets/game.css"))
});

/// The script of the page of a game: the map, what is pointed at, the keyboard, the journal, then the page itself
/// by its subjects.
pub(crate) static GAME_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = concat!(
        include_str!("../assets/view.js"),
        include_str!("../assets/game/board.js"),
        include_str!("../assets/game/aid.js"),
        include_str!("../assets/game/stack.js"),
        include_str!("../assets/game/placing.js"),
        include_str!("../assets/game/keyboard.js"),
        include_str!("../assets/game/journal.js"),
        include_str!("../assets/game/pledge.js"),
        include_str!("../assets/game/marks.js"),
        include_str!("../assets/game/odds.js"),
        include_str!("../assets/game/orders.js"),
        include_str!("../assets/game/touch.js"),
        include_str!("../assets/game/sheets.js"),
        include_str!("../assets/game/game.js"),
    );
    Asset::new("game", "js", "text/javascript; charset=utf-8", text)
});

/// The style of the umpire's pages, with that of the scenes drawn in them.
pub(crate) static UMPIRE_STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let scene = tabletop::draw::STYLE;
    let text = format!("{}\n.scene-sheet {{{scene}}}\n", include_str!("../assets/umpire.css"));
    Asset::new("umpire", "css", "text/css; charset=utf-8", text)
});

/// The script of the umpire's pages: sheets that move, scenes and maps that answer a click.
pub(crate) static UMPIRE_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = concat!(include_str!("../assets/view.js"), include_str!("../assets/umpire.js"));
    Asset::new("umpire", "js", "text/javascript; charset=utf-8", text)
});

/// The script of the home page: new games, my games.
pub(crate) static HOME_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("home", "js", "text/javascript; charset=utf-8", include_str!("../assets/home.js"))
});

/// The style of the army builder.
pub(crate) static ROSTER_STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("roster", "css", "text/css; charset=utf-8", include_str!("../assets/roster.css"))
});

/// The script of the army builder: sums at every change, armies kept in the browser and in files.
pub(crate) static ROSTER_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("roster", "js", "text/javascript; charset=utf-8", include_str!("../assets/roster.js"))
});

/// The style of the table that is laid by hand.
pub(crate) static TABLE_STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("table", "css", "text/css; charset=utf-8", include_str!("../assets/table/table.css"))
});

/// Its script: the table and its past, the sheet under the hand, what is chosen, the evening.
pub(crate) static TABLE_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let text = concat!(
        include_str!("../assets/view.js"),
        include_str!("../assets/table/kept.js"),
        include_str!("../assets/table/shapes.js"),
        include_str!("../assets/table/sheet.js"),
        include_str!("../assets/table/photo.js"),
        include_str!("../assets/table/desk.js"),
        include_str!("../assets/table/evening.js"),
        include_str!("../assets/table/table.js"),
    );
    Asset::new("table", "js", "text/javascript; charset=utf-8", text)
});

/// The worker that keeps the table at hand where there is no network.
pub(crate) const TABLE_WORKER: &str = include_str!("../assets/table/worker.js");

/// The sign on the browser's tab.
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("glacis", "svg", "image/svg+xml", include_str!("../assets/glacis.svg")));

/// Serves a file by its full name.
pub(crate) async fn serve(State(pages): State<Arc<Pages>>, Path(name): Path<String>) -> Response {
    let wanted = format!("/assets/{name}");
    let all: &[&'static Asset] = &[
        &*STYLE,
        &*SCRIPT,
        &*ICON,
        &*GAME_STYLE,
        &*GAME_SCRIPT,
        &*UMPIRE_STYLE,
        &*UMPIRE_SCRIPT,
        &*HOME_SCRIPT,
        &*ROSTER_STYLE,
        &*ROSTER_SCRIPT,
        &*TABLE_STYLE,
        &*TABLE_SCRIPT,
    ];
    for &asset in all {
        if asset.path == wanted {
            return kept(asset.kind, &asset.text);
        }
    }
    match pages.systems().iter().find(|system| system.style_address() == wanted) {
        Some(system) => kept("text/css; charset=utf-8", system.style),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A file that stays as it is under its name.
fn kept(kind: &'static str, text: &'static str) -> Response {
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, text).into_response()
}
