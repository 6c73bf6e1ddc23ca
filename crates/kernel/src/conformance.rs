//! The suite every game passes unchanged: the contract of [`Game`](crate::Game), checked at every
//! node of random games.
