//! The pages as a browser gets them: all there, in both languages, their markup sound.

mod game;
mod markup;
mod site;
