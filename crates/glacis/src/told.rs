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

    use kernel::{Line, Refusal, Step};
    use rulebook::Lang;

    /// A refusal with the rule that forbids.
    pub(crate) fn refusal(refusal: &Refusal, lang: Lang) -> String {
        let message = rulebook::refusal(refusal, lang);
        match refusal.rule {
            Some(rule) => format!("{message} [{rule}]"),
            None => message,
        }
    }

    /// Events with the reasons before them, and the dice.
    pub(crate) fn step(output: &mut impl Write, step: &Step, lang: Lang) -> io::Result<()> {
        if !step.dice.is_empty() {
            let faces: Vec<String> = step.dice.iter().map(u8::to_string).collect();
            writeln!(output, "  🎲 {}", faces.join(" "))?;
        }
        for line in &step.said {
            match line {
                Line::Because(because) => {
                    writeln!(
                        output,
                        "    {:<12} {}",
                        because.rule.as_str(),
                        rulebook::effect(&because.effect, lang)
                    )?;
                }
                Line::Happened(event) => {
                    writeln!(output, "  {}", rulebook::speak(event.phrase, &event.facts, lang))?;
                }
            }
        }
        Ok(())
    }
}
