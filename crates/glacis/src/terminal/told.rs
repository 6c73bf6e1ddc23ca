//! Sentences for the terminal.

use kernel::{Phrase, Saying};
use rulebook::Lang;

/// A saying as a sentence.
pub(crate) fn sentence(saying: &Saying, lang: Lang) -> String {
    rulebook::speak(saying.phrase, &saying.facts, lang)
}

/// A phrase without facts as words.
pub(crate) fn words(phrase: Phrase, lang: Lang) -> String {
    rulebook::speak(phrase, &[], lang)
}

/// What a step said, with its rules.
pub(crate) mod said {
    use std::io::{self, Write};

    use kernel::{Chosen, Line, Refusal, Step};
    use rulebook::Lang;

    /// A refusal with the rule that forbids.
    pub(crate) fn refusal(refusal: &Refusal, lang: Lang) -> String {
        let message = rulebook::refusal(refusal, lang);
        match refusal.rule {
            Some(rule) => format!("{message} [{rule}]"),
            None => message,
        }
    }

    /// So many letters of a rule stand behind what it did; `glacis rules` tells the rest.
    const GIST: usize = 72;

    /// The beginning of a rule, cut between two words.
    fn gist(text: &str) -> String {
        if text.chars().count() <= GIST {
            return text.to_owned();
        }
        let cut: String = text.chars().take(GIST).collect();
        format!("{} …", cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole))
    }

    /// Events with the reasons before them, and the dice; the rules as the options chosen have them.
    pub(crate) fn step(output: &mut impl Write, step: &Step, chosen: &Chosen, lang: Lang) -> io::Result<()> {
        if !step.dice.is_empty() {
            let faces: Vec<String> = step.dice.iter().map(u8::to_string).collect();
            writeln!(output, "  🎲 {}", faces.join(" "))?;
        }
        for line in &step.said {
            match line {
                Line::Because(because) => {
                    let effect = rulebook::effect(&because.effect, lang);
                    let gist = gist(rulebook::text(because.rule, chosen, lang));
                    writeln!(output, "    {:<12} {effect:<8} {gist}", because.rule.as_str())?;
                }
                Line::Happened(event) => {
                    writeln!(output, "  {}", rulebook::speak(event.phrase, &event.facts, lang))?;
                }
            }
        }
        Ok(())
    }
}
