//! Tests of the operational map.
