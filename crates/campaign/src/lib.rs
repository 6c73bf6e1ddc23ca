//! The 1805 campaign: every chart as typed code, and as a question to the umpire.
