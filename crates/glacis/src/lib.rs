//! glacis
