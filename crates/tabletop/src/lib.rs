//! tabletop
