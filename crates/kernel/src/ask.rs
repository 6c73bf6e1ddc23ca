//! The umpire's question: a typed request, a typed answer, and one function that answers it for
//! every clerk. Given dice it answers; without them, where dice are needed, it gives the exact odds.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};

use crate::{
    Because, Chance, Chosen, Clerk, Desk, Node, Refusal, Scripted, Spoken, Stages, Verdict, phrase, stages,
};

/// The toggles of a system, as the rulings name them.
pub trait Options: Default + Clone {
    /// Sets one option by the names of the ledger.
    ///
    /// # Errors
    /// When there is no such option or no such value.
    fn set(&mut self, name: &str, value: &str) -> Verdict<()>;

    /// Every option of the system: its name, its values (the default first).
    fn all() -> Vec<(&'static str, &'static [&'static str])>;

    /// Those that differ from the default.
    fn chosen(&self) -> Chosen;
}

/// A system without options.
impl Options for () {
    fn set(&mut self, name: &str, _: &str) -> Verdict<()> {
        Err(Refusal::field(format!("options.{name}"), phrase::UNKNOWN_FIELD).with("expected", ""))
    }

    fn all() -> Vec<(&'static str, &'static [&'static str])> {
        Vec::new()
    }

    fn chosen(&self) -> Chosen {
        Chosen::new()
    }
}

/// What is played with options of its own: the sentences about it follow them.
pub trait Chooses {
    /// Those that differ from the default.
    fn chosen(&self) -> Chosen;
}

/// A question to the umpire.
pub trait Question {
    /// Its name: `tabletop.fire`.
    const NAME: &'static str;
    /// Whether it may roll. A question that never does refuses dice.
    const ROLLS: bool = false;
    /// Whether there is something to draw in its answers.
    const DRAWS: bool = false;
    /// The options of its system.
    type Options: Options;
    /// What is asked.
    type Request: DeserializeOwned + JsonSchema;
    /// What is answered. Equal answers are merged in the odds, in this order.
    type Answer: Serialize + JsonSchema + Ord + 'static;

    /// Answers.
    ///
    /// # Errors
    /// The refusal, which is an answer too.
    fn answer(
        request: &Self::Request,
        options: &Self::Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<Self::Answer>;

    /// The answer with the refusals it lists said in the reader's words: a question whose answer
    /// holds refusals overrides this.
    fn said(answer: Self::Answer, _say: &dyn Fn(&Refusal) -> String) -> Self::Answer {
        answer
    }

    /// Whether a request wishes for a picture of its answer.
    fn wishes_picture(_request: &Self::Request) -> bool {
        false
    }

    /// The picture of an answer, as SVG. It follows from what was asked and what was answered, so that no
    /// answer need carry it.
    fn draw(_request: &Self::Request, _options: &Self::Options, _answer: &Self::Answer) -> Option<String> {
        None
    }

    /// Every answer with its exact odds: [`answer`](Self::answer) along every path of dice. A long
    /// affair overrides this to run its stages one by one.
    ///
    /// # Errors
    /// The refusal, or more outcomes than can be counted.
    fn stages(request: &Self::Request, options: &Self::Options) -> Verdict<Stages<Self::Answer>> {
        Stages::first(|clerk| Self::answer(request, options, clerk))
    }
}

/// A question about a position of a game: what stands on the table is known, and the request names it.
/// The options are those of the game.
pub trait Inquiry {
    /// The name of the question it belongs to: `danzig.arc`.
    const NAME: &'static str;
    /// Whether it may roll. A question that never does refuses dice.
    const ROLLS: bool = false;
    /// The position.
    type Position: Chooses;
    /// What is asked.
    type Request: DeserializeOwned + JsonSchema;
    /// What is answered. Equal answers are merged in the odds, in this order.
    type Answer: Serialize + JsonSchema + Ord + 'static;

    /// Answers.
    ///
    /// # Errors
    /// The refusal, which is an answer too.
    fn answer(
        position: &Self::Position,
        request: &Self::Request,
        clerk: &mut impl Clerk,
    ) -> Verdict<Self::Answer>;
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<A> {
    /// A certain answer, with the dice that made it.
    Answered {
        /// The answer.
        answer: A,
        /// The reasons.
        because: Vec<Because>,
        /// The dice used, empty when nothing was rolled.
        dice: Vec<u8>,
    },
    /// Every answer with its exact chance.
    Odds {
        /// The answers, in ascending order.
        outcomes: Vec<(Chance, A)>,
        /// The reasons that hold whatever the dice show.
        because: Vec<Because>,
    },
}

impl<A> Reply<A> {
    /// The answer that is likeliest; of several, the first.
    #[must_use]
    pub fn likeliest(&self) -> Option<&A> {
        match self {
            Self::Answered { answer, .. } => Some(answer),
            Self::Odds { outcomes, .. } => {
                let mut best: Option<&(Chance, A)> = None;
                for outcome in outcomes {
                    if best.is_none_or(|(before, _)| outcome.0.as_f64() > before.as_f64()) {
                        best = Some(outcome);
                    }
                }
                best.map(|(_, answer)| answer)
            }
        }
    }

    /// The same reply with every answer put otherwise.
    #[must_use]
    pub fn map<B>(self, mut put: impl FnMut(A) -> B) -> Reply<B> {
        match self {
            Self::Answered { answer, because, dice } => {
                Reply::Answered { answer: put(answer), because, dice }
            }
            Self::Odds { outcomes, because } => Reply::Odds {
                outcomes: outcomes.into_iter().map(|(chance, answer)| (chance, put(answer))).collect(),
                because,
            },
        }
    }
}

/// Where the picture of an answer goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gallery {
    /// Into the answer, where the request wishes for one.
    Within,
    /// Beside the reply: that of the likeliest answer, whatever the request wishes.
    Beside,
}

/// An answer with the picture that was wished for: it is written as the last field of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn<A> {
    /// The answer.
    pub answer: A,
    /// Its picture as SVG.
    pub svg: Option<String>,
}

impl<A: Serialize> Serialize for Drawn<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a, A> {
            #[serde(flatten)]
            answer: &'a A,
            svg: &'a str,
        }
        match &self.svg {
            None => self.answer.serialize(serializer),
            Some(svg) => Whole { answer: &self.answer, svg }.serialize(serializer),
        }
    }
}

/// What was answered, and the picture that hangs beside it.
pub type Exhibited<A> = (Reply<Drawn<A>>, Option<String>);

/// A request taken apart: what every question shares, and its own part.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The language wanted, if named.
    pub lang: Option<String>,
    options: Vec<(String, String)>,
    dice: Option<Vec<u8>>,
    request: Node,
}

impl Asked {
    /// Takes a request apart. The language is read first, so that a refusal can use it.
    ///
    /// # Errors
    /// When a shared field is malformed; the language is given back if it was readable.
    pub fn new(mut node: Node) -> Result<Self, (Option<String>, Refusal)> {
        let lang = Self::lang(&mut node).map_err(|refusal| (None, refusal))?;
        let asked = (|| {
            if !matches!(node, Node::Object(_)) {
                return Err(Refusal::plain(phrase::NOT_AN_OBJECT));
            }
            let options = match node.take("options")? {
                None => Vec::new(),
                Some(options) => Self::options(options)?,
            };
            let dice = node.take("dice")?.map(Self::dice).transpose()?;
            Ok((options, dice))
        })();
        match asked {
            Ok((options, dice)) => Ok(Self { lang, options, dice, request: node }),
            Err(refusal) => Err((lang, refusal)),
        }
    }

    fn lang(node: &mut Node) -> Verdict<Option<String>> {
        match node.take("lang")? {
            None => Ok(None),
            Some(Node::Text(lang)) if lang == "fr" || lang == "en" => Ok(Some(lang)),
            Some(other) => Err(Refusal::field("lang", phrase::UNKNOWN_CHOICE)
                .with("found", other.read::<String>().unwrap_or_default())
                .with("expected", "fr, en")),
        }
    }

    fn options(options: Node) -> Verdict<Vec<(String, String)>> {
        let Node::Object(fields) = options else {
            return Err(Refusal::field("options", phrase::NOT_AN_OBJECT));
        };
        fields
            .into_iter()
            .map(|(name, value)| match value {
                Node::Text(value) => Ok((name, value)),
                other => other
                    .read::<String>()
                    .map(|value| (name.clone(), value))
                    .map_err(|refusal| Refusal { field: Some(format!("options.{name}")), ..refusal }),
            })
            .collect()
    }

    fn dice(dice: Node) -> Verdict<Vec<u8>> {
        let faces: Vec<u8> = dice.read().map_err(|refusal| refusal.at("dice"))?;
        if faces.is_empty() {
            return Err(Refusal::field("dice", phrase::WRONG_LENGTH).with("found", 0).with("expected", "1…"));
        }
        if let Some(place) = faces.iter().position(|&face| face == 0) {
            return Err(Refusal::field("dice", phrase::DIE_IMPOSSIBLE)
                .with("roll", i64::try_from(place + 1).unwrap_or(i64::MAX))
                .with("face", 0)
                .with("sides", 6));
        }
        Ok(faces)
    }

    /// The options asked for.
    ///
    /// # Errors
    /// When the system has no such option or value, or one is given twice.
    pub fn chosen<O: Options>(&self) -> Verdict<O> {
        let mut options = O::default();
        let mut set = Vec::<&str>::new();
        for (name, value) in &self.options {
            if set.contains(&name.as_str()) {
                return Err(Refusal::field(format!("options.{name}"), phrase::DUPLICATE_FIELD));
            }
            set.push(name);
            options.set(name, value)?;
        }
        Ok(options)
    }

    /// Answers the question with what was asked, under these options, and draws it.
    ///
    /// # Errors
    /// The refusal of a field or by a rule.
    pub fn answer<Q: Question>(
        self,
        options: &Q::Options,
        gallery: Gallery,
    ) -> Verdict<Exhibited<Q::Answer>> {
        self.check_dice(Q::ROLLS)?;
        let request: Q::Request = self.request.read()?;
        let reply = match self.dice {
            Some(faces) => with_dice::<Q>(&request, options, &faces),
            None => without_dice::<Q>(&request, options),
        }?;
        let draw = |answer: &Q::Answer| Q::draw(&request, options, answer);
        let beside = match gallery {
            Gallery::Within => None,
            Gallery::Beside => reply.likeliest().and_then(draw),
        };
        let within = gallery == Gallery::Within && Q::wishes_picture(&request);
        let drawn = |answer: Q::Answer| Drawn { svg: if within { draw(&answer) } else { None }, answer };
        Ok((reply.map(drawn), beside))
    }

    fn check_dice(&self, rolls: bool) -> Verdict<()> {
        if self.dice.is_some() && !rolls {
            return Err(Refusal::field("dice", phrase::NO_DICE));
        }
        Ok(())
    }

    /// Answers an inquiry about a position with what was asked.
    ///
    /// # Errors
    /// The refusal of a field or by a rule; options are those of the game and are refused here.
    pub fn answer_on<I: Inquiry>(self, position: &I::Position) -> Verdict<Reply<I::Answer>> {
        if let Some((name, _)) = self.options.first() {
            return Err(Refusal::field(format!("options.{name}"), phrase::UNKNOWN_FIELD).with("expected", ""));
        }
        self.check_dice(I::ROLLS)?;
        let request: I::Request = self.request.read()?;
        match self.dice {
            Some(faces) => rolled(&faces, |clerk| I::answer(position, &request, clerk)),
            None => Ok(weighed(Stages::first(|clerk| I::answer(position, &request, clerk))?)),
        }
    }
}

/// Answers with the dice that were rolled on a real table.
///
/// # Errors
/// The refusal, or a fault of the dice. Dice given where, this time, nothing is rolled are not used.
pub fn with_dice<Q: Question>(
    request: &Q::Request,
    options: &Q::Options,
    faces: &[u8],
) -> Verdict<Reply<Q::Answer>> {
    rolled(faces, |clerk| Q::answer(request, options, clerk))
}

/// Answers without dice: certain where nothing is rolled, else with the exact odds.
///
/// # Errors
/// The refusal.
pub fn without_dice<Q: Question>(request: &Q::Request, options: &Q::Options) -> Verdict<Reply<Q::Answer>> {
    let stages = Q::stages(request, options)?;
    debug_assert!(Q::ROLLS || !stages.rolled, "{} rolls", Q::NAME);
    Ok(weighed(stages))
}

fn rolled<A>(
    faces: &[u8],
    answer: impl FnOnce(&mut Desk<Scripted<'_>, Spoken>) -> Verdict<A>,
) -> Verdict<Reply<A>> {
    let mut desk = Desk::new(Scripted::new(faces), Spoken::default());
    let answer = answer(&mut desk)?;
    let used = desk.dice.used();
    if used > 0 {
        desk.dice.finish()?;
    }
    Ok(Reply::Answered { answer, because: stages::reasons(desk.notes), dice: faces[..used].to_vec() })
}

fn weighed<A: Ord>(Stages { odds, because, rolled }: Stages<A>) -> Reply<A> {
    let total = odds.total().clone();
    let mut outcomes: Vec<(Chance, A)> = odds
        .into_counts()
        .into_iter()
        .map(|(answer, cases)| (Chance::new(cases, total.clone()), answer))
        .collect();
    match outcomes.pop() {
        Some((_, answer)) if !rolled => Reply::Answered { answer, because, dice: Vec::new() },
        last => {
            outcomes.extend(last);
            Reply::Odds { outcomes, because }
        }
    }
}
