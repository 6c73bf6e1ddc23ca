//! The signs of the map and what they mean.

use kernel::board::Sign;
use rulebook::phrase::campaign_board as words;

/// All of them.
pub(super) fn signs() -> Vec<Sign> {
    let sign = |picture: &str, meaning| Sign { picture: picture.to_owned(), meaning };
    vec![
        sign(r#"<path class="supply" d="M-11 0H11"></path>"#, words::SIGN_SUPPLY),
        sign(
            r#"<path class="supply cut" d="M-11 0H11"></path><path class="severed" d="M-4 -4L4 4M4 -4L-4 4"></path>"#,
            words::SIGN_CUT,
        ),
        sign(r#"<path class="dispatch" d="M-11 0H11"></path>"#, words::SIGN_DISPATCH),
        sign(
            r#"<path class="train a-french" d="M-9 -2.200h6.400v4.400h-6.400Z"></path><path class="train a-french" d="M1 -2.200h6.400v4.400h-6.400Z"></path>"#,
            words::SIGN_TRAIN,
        ),
        sign(
            r#"<g class="counter reported a-allied"><path class="body" d="M-10 -6H10V6H-10Z"></path></g>"#,
            words::SIGN_REPORT,
        ),
        sign(
            r#"<g class="counter unknown a-allied"><path class="body" d="M-10 -6H10V6H-10Z"></path></g>"#,
            words::SIGN_UNKNOWN,
        ),
        sign(
            r#"<g class="counter"><path class="order" d="M-3 7V-6L7 -2.500L-3 1"></path></g>"#,
            words::SIGN_COMMAND,
        ),
        sign(
            r#"<path class="pennant french taken" d="M-4 7v-14l10 3.500l-10 3.500"></path>"#,
            words::SIGN_TAKEN,
        ),
    ]
}
