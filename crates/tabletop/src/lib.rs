//! The miniatures table: the fire and terrain chapters as an umpire.
