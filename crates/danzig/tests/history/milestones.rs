//! What is worth a word in the siege: each milestone is seen on the table when it first happens, by
//! whoever plays or replays the game, and has its commentary in both languages.

use std::collections::BTreeMap;

use danzig::siege::{WallId, WorkKind};
use danzig::{Action, Corps, Side, State};

/// A milestone, in the order in which they usually come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Milestone {
    SetUp,
    Crossing,
    Invested,
    FirstParallel,
    KalkeStormed,
    KalkeTaken,
    Sortie,
    SecondParallel,
    Burning,
    ThirdParallel,
    FirstBreach,
    Lodgement,
    CounterAttack,
    Kamenski,
    Lannes,
    CorvetteThrough,
    CorvetteLost,
    SecondBreach,
    SecondWall,
    Surrender,
}

impl Milestone {
    /// The commentary, in French and in English.
    pub(crate) const fn words(self) -> [&'static str; 2] {
        match self {
            Self::SetUp => [
                "Kalckreuth répartit la garnison : les meilleurs bataillons sur le Hagelsberg, menacé le premier, quatre au-dehors, du Holm au camp de Neufahrwasser, la cavalerie au fort.",
                "Kalckreuth distributes the garrison: the best battalions on the Hagelsberg, threatened first, four outside from the Holm to the camp of Neufahrwasser, the cavalry in the fort.",
            ],
            Self::Crossing => [
                "Les chasseurs passent la Vistule en barques, d'abord sur le Holm, puis sur la Nehrung : le général Schramm fera de même. La place va perdre sa route de terre.",
                "The chasseurs cross the Vistula in boats, first onto the Holm, then onto the Nehrung, as General Schramm did. The place is about to lose its road by land.",
            ],
            Self::Invested => [
                "Les dix étoiles bleues sont françaises : l'investissement est complet. À partir d'ici le moral de la ville baisse à chaque tour et l'on déserte.",
                "All ten blue stars are French: the investment is complete. From here on the morale of the city drops every turn, and men desert.",
            ],
            Self::FirstParallel => [
                "La tranchée est ouverte : deux boyaux de deux sapes et la première parallèle, à 565 mètres du Hagelsberg (dans la nuit du 1er au 2 avril 1807).",
                "The trenches are open: two approaches of two saps each and the first parallel, 565 metres from the Hagelsberg (in the night of 1 April 1807).",
            ],
            Self::KalkeStormed => [
                "Deux bataillons se jettent sur la Kalke-Schanze, dont les canons prennent la tranchée en enfilade. L'ouvrage changea plusieurs fois de mains.",
                "Two battalions rush the Kalke-Schanze, whose guns enfilade the trenches. The work changed hands several times.",
            ],
            Self::KalkeTaken => [
                "La Kalke-Schanze est prise : ses batteries sont perdues pour la place et plus rien n'enfile les parallèles par la gauche.",
                "The Kalke-Schanze is taken: its batteries are lost to the place, and nothing enfilades the parallels from the left any more.",
            ],
            Self::Sortie => [
                "Sortie : la garnison se jette sur les ouvrages les plus avancés. Contre un ouvrage intact, elle attaque à un contre deux ; c'est payer cher quelques toises de tranchée.",
                "A sortie: the garrison rushes the most advanced works. Against an intact work it attacks at one to two, a high price for a few yards of trench.",
            ],
            Self::SecondParallel => [
                "La deuxième parallèle, à 315 mètres du mur (mi-avril 1807) : deux parallèles, deux batteries, et les pièces de 12 commencent à démonter celles des remparts.",
                "The second parallel, 315 metres from the wall (mid-April 1807): two parallels, two batteries, and the 12-pounders begin to silence those of the ramparts.",
            ],
            Self::Burning => [
                "Les mortiers ont mis le feu en ville. Un six sur le dé, un point de moral : c'est lent, mais cela ne coûte aucune munition.",
                "The mortars have set the city on fire. A six on the die, one point of morale: slow, but it costs no ammunition.",
            ],
            Self::ThirdParallel => [
                "La troisième parallèle, à 165 mètres (fin avril 1807) : les pièces de 24 sont enfin assez près pour ouvrir un mur intact.",
                "The third parallel, at 165 metres (end of April 1807): the 24-pounders are at last near enough to open an intact wall.",
            ],
            Self::FirstBreach => [
                "Brèche au premier mur : le segment H5 est tombé à 10 niveaux ou moins, on peut s'y loger dès que personne ne le défend plus.",
                "A breach in the first wall: the segment H5 is down to 10 levels or less and can be lodged in as soon as nobody defends it.",
            ],
            Self::Lodgement => [
                "Logement sur le chemin couvert : une batterie est posée sur H5, dont le niveau tombe à 0. Il n'y aura plus de sortie, seulement des contre-attaques.",
                "A lodgement on the covered way: a battery lies on H5, whose level falls to 0. There will be no more sorties, only counter-attacks.",
            ],
            Self::CounterAttack => [
                "Contre-attaque prussienne : deux bataillons partent du second mur contre le logement.",
                "A Prussian counter-attack: two battalions leave the second wall against the lodgement.",
            ],
            Self::Kamenski => [
                "Kamenski débarque au camp et au fort avec sept régiments (11 mai 1807). Ce tour, les Prussiens jouent les premiers.",
                "Kamenski lands in the camp and the fort with seven regiments (11 May 1807). On this turn the Prussians play first.",
            ],
            Self::Lannes => [
                "Lannes et les grenadiers d'Oudinot, arrivés par la Nehrung, abordent les Russes : le secours ne passera pas (15 mai 1807).",
                "Lannes and Oudinot's grenadiers, come along the Nehrung, close with the Russians: the relief will not get through (15 May 1807).",
            ],
            Self::CorvetteThrough => [
                "La corvette Dauntless force le passage sous le feu et apporte sa poudre. En 1807 elle s'échoua et fut prise ; le dé en a voulu autrement.",
                "The corvette Dauntless forces her way through under fire and brings her powder. In 1807 she ran aground and was taken; the die would have it otherwise.",
            ],
            Self::CorvetteLost => [
                "La corvette Dauntless, chargée de poudre, est prise sous le feu de la rive : le moral baisse de deux (elle s'échoua devant le Holm le 19 mai 1807).",
                "The corvette Dauntless, laden with powder, is lost under the fire of the bank: morale drops by two (she ran aground off the Holm on 19 May 1807).",
            ],
            Self::SecondBreach => [
                "Brèche au second mur : les pièces de 24 du logement ont ouvert h5 à moins de cent mètres.",
                "A breach in the second wall: the 24-pounders of the lodgement have opened h5 at less than a hundred metres.",
            ],
            Self::SecondWall => [
                "L'infanterie française est sur le second mur : moral -2, et la place se rendra dès que son moral sera à zéro à la fin d'un tour. En 1807 Kalckreuth n'attendit pas l'assaut.",
                "French infantry stands on the second wall: morale -2, and the place will surrender as soon as its morale is at zero at the end of a turn. In 1807 Kalckreuth did not wait for the assault.",
            ],
            Self::Surrender => [
                "Dantzig capitule, la brèche faite et le moral à zéro. L'acte de 1807 fut signé le 24 mai, dernier jour du tour 12.",
                "Danzig surrenders, the breach made and its morale at zero. The act of 1807 was signed on 24 May, the last day of turn 12.",
            ],
        }
    }
}

/// When a milestone was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The turn.
    pub(crate) turn: u8,
    /// The entry of the record.
    pub(crate) entry: u64,
}

/// Everything seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    pub(crate) seen: BTreeMap<Milestone, Reached>,
    turn: u8,
    morale: u8,
}

/// Parallels and batteries in one line across the approach.
fn in_line(state: &State, metres: i16) -> usize {
    let line = |kind: WorkKind, y: i16| kind != WorkKind::Sap && y == metres * 10;
    state.table.siege.all_works().filter(|(_, work)| line(work.kind, work.pose.at.y)).count()
}

fn fighting(corps: Corps, action: &Action) -> bool {
    matches!(action, Action::Melee(melee) if melee.attackers.iter().any(|unit| unit.data().corps == corps))
}

impl Watch {
    /// Looks at an order and at the table after it.
    pub(crate) fn look(&mut self, entry: u64, action: &Action, after: &State) {
        let siege = &after.table.siege;
        let danzig = &after.table.danzig;
        // The turn of the order: the table may already stand in the next one.
        let turn = self.turn.max(1);
        let (first, second) = (WallId::first_wall(), WallId::second_wall());
        let lodged =
            |mut points: Box<dyn Iterator<Item = WallId>>| points.any(|point| siege.work_on(point).is_some());
        let open =
            |mut points: Box<dyn Iterator<Item = WallId>>| points.any(|point| siege.wall(point).level <= 10);
        let reached = [
            (Milestone::SetUp, matches!(action, Action::SetUpDone)),
            (Milestone::Crossing, matches!(action, Action::BoatsStart { .. })),
            (Milestone::Invested, matches!(action, Action::RollDesertion)),
            (Milestone::FirstParallel, in_line(after, 725) >= 4),
            (
                Milestone::KalkeStormed,
                matches!(action, Action::Assault(assault) if matches!(assault.at, danzig::siege::GunTarget::Kalke(_))),
            ),
            (Milestone::KalkeTaken, siege.kalke.holder == Side::French),
            (Milestone::Sortie, matches!(action, Action::DeclareSortie(_))),
            (Milestone::SecondParallel, in_line(after, 975) >= 4),
            (Milestone::Burning, matches!(action, Action::FireMortar { .. }) && danzig.morale < self.morale),
            (Milestone::ThirdParallel, in_line(after, 1125) >= 3),
            (Milestone::FirstBreach, open(Box::new(first.clone()))),
            (Milestone::Lodgement, lodged(Box::new(first))),
            (Milestone::CounterAttack, matches!(action, Action::DeclareCounterAttack(_))),
            (Milestone::Kamenski, matches!(action, Action::PlaceKamenski { .. })),
            (Milestone::Lannes, fighting(Corps::Lannes, action)),
            (
                Milestone::CorvetteThrough,
                matches!(action, Action::RollDauntless) && danzig.morale > self.morale,
            ),
            (
                Milestone::CorvetteLost,
                matches!(action, Action::RollDauntless) && danzig.morale <= self.morale,
            ),
            (Milestone::SecondBreach, open(Box::new(second))),
            (Milestone::SecondWall, danzig.second_line_done),
            (Milestone::Surrender, after.outcome.is_some_and(|outcome| outcome.surrendered.is_some())),
        ];
        for (milestone, now) in reached {
            if now {
                self.seen.entry(milestone).or_insert(Reached { turn, entry });
            }
        }
        self.turn = after.table.turn;
        self.morale = danzig.morale;
    }

    /// The commentary, one JSON object to a line: the entry it follows, and the words.
    pub(crate) fn notes(&self) -> String {
        let mut notes: Vec<(u64, Milestone)> =
            self.seen.iter().map(|(what, when)| (when.entry, *what)).collect();
        notes.sort_unstable();
        notes.iter().fold(String::new(), |text, (entry, what)| {
            let [fr, en] = what.words();
            let line = serde_json::json!({ "n": entry, "fr": fr, "en": en });
            text + &line.to_string() + "\n"
        })
    }
}
