//! The lists: the two army lists (`army_*.csv`, BR-R08) and the two lists of siege equipment
//! (`equipment_*.csv`), read from the tables into typed lines while the crate is compiled, and
//! [`Counts`], how many of each somebody wants.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use kernel::{RuleId, Whole};
use rulebook::tables::breach::{
    ARMY_DWARF, ARMY_EMPIRE, ARMY_RELATIONS, EQUIPMENT_ARTILLERY, EQUIPMENT_SIEGE,
};
use rulebook::{Lang, rule};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Whether two words are the same, where nothing runs yet.
const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Words of a table as an enum: a word that is not named here stops the build.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its word in the tables.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            #[allow(clippy::panic, reason = "runs while the crate is compiled: bad data stops the build")]
            const fn read(word: &str) -> Self {
                $(if same(word, $word) { return Self::$variant; })*
                panic!("a table holds a word that the code does not know")
            }
        }

        impl Listed for $name {
            const NAMES: &'static [&'static str] = &[$($word,)*];

            fn named(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }

            fn id(self) -> &'static str {
                Self::id(self)
            }
        }
    };
}

/// What may stand in [`Counts`].
pub trait Listed: Copy + Ord + 'static {
    /// The ids of all.
    const NAMES: &'static [&'static str];

    /// The one with this id.
    fn named(word: &str) -> Option<Self>;

    /// Its id.
    fn id(self) -> &'static str;
}

words! {
    /// The armies with a list.
    Army {
        /// The Imperials.
        Empire = "empire",
        /// The Dwarfs.
        Dwarf = "dwarf",
    }
}

words! {
    /// The lines of both army lists, each in the order of its list.
    Line {
        /// Halberdiers.
        Halberdiers = "halberdiers",
        /// Warriors.
        Warriors = "warriors",
        /// Handgunners.
        Handgunners = "handgunners",
        /// Crossbowmen.
        Crossbowmen = "crossbowmen",
        /// Rangers.
        Rangers = "rangers",
        /// Slayers.
        Slayers = "slayers",
        /// Flagellants.
        Flagellants = "flagellants",
        /// A skirmisher stand attached to a unit.
        Skirmishers = "skirmishers",
        /// Knights.
        Knights = "knights",
        /// Pistoliers.
        Pistoliers = "pistoliers",
        /// A volley gun.
        VolleyGun = "volley_gun",
        /// A cannon.
        Cannon = "cannon",
        /// A flame cannon.
        FlameCannon = "flame_cannon",
        /// A steam tank.
        SteamTank = "steam_tank",
        /// A gyrocopter.
        Gyrocopter = "gyrocopter",
        /// The General.
        General = "general",
        /// A Hero.
        Hero = "hero",
        /// A Wizard.
        Wizard = "wizard",
        /// A Runesmith.
        Runesmith = "runesmith",
        /// A griffon to ride.
        Griffon = "griffon",
        /// A war altar to ride.
        WarAltar = "war_altar",
        /// A Runesmith's anvil.
        Anvil = "anvil",
    }
}

words! {
    /// What both lists of siege equipment offer.
    Item {
        /// A section of earthworks.
        Earthwork = "earthwork",
        /// Boiling oil or rocks for one element.
        OilRocks = "oil_rocks",
        /// A portable ram.
        PortableRam = "portable_ram",
        /// Ladders for one unit.
        Ladders = "ladders",
        /// A sow.
        Sow = "sow",
        /// Mantlets.
        Mantlets = "mantlets",
        /// A siege tower.
        SiegeTower = "siege_tower",
        /// A covered ram.
        Ram = "ram",
        /// A mangonel.
        Mangonel = "mangonel",
        /// A bombard.
        Bombard = "bombard",
        /// A trebuchet.
        Trebuchet = "trebuchet",
    }
}

words! {
    /// What a line is.
    Kind {
        /// Foot.
        Infantry = "infantry",
        /// Horse.
        Cavalry = "cavalry",
        /// Guns of the army list.
        Artillery = "artillery",
        /// Machines of the army list.
        Machine = "machine",
        /// The General.
        General = "general",
        /// Heroes and Runesmiths.
        Hero = "hero",
        /// Wizards.
        Wizard = "wizard",
        /// A mount of a character.
        Mount = "mount",
        /// Something a character carries.
        Upgrade = "upgrade",
    }
}

words! {
    /// The five names under which scenario 3 opens equipment (BR-R32).
    Sublist {
        /// What attackers carry.
        AttackerEquipment = "attacker_equipment",
        /// Siege machines.
        SiegeMachines = "siege_machines",
        /// Siege artillery.
        SiegeArtillery = "siege_artillery",
        /// Earthworks.
        Earthworks = "earthworks",
        /// What defenders keep on the walls.
        DefenderEquipment = "defender_equipment",
    }
}

words! {
    /// What the Min and Max of a line are counted for.
    Scope {
        /// Each full thousand points.
        PerThousand = "per_1000_points",
        /// The whole army.
        PerArmy = "per_army",
    }
}

words! {
    /// How two lines of a list hang together.
    Relation {
        /// One unit of the first per thousand points counts towards the Min of the other.
        CountsAs = "counts_as",
        /// Each of the first needs one of the other, and no two the same.
        BorneBy = "borne_by",
    }
}

/// How a line fights, as its list prints it; `-` where it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Attacks of a stand, or what a character adds.
    pub attack: i32,
    /// Attacks of a stand that shoots.
    pub shooting: &'static str,
    /// How far it shoots, in centimetres.
    pub range_cm: &'static str,
    /// Hits of a stand.
    pub hits: &'static str,
    /// Its armour.
    pub armour: &'static str,
    /// Its Command.
    pub command: &'static str,
}

/// A line of an army list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which.
    pub line: Line,
    /// Its name in English.
    pub name_en: &'static str,
    /// Its name in French.
    pub name_fr: &'static str,
    /// What it is.
    pub kind: Kind,
    /// How it fights.
    pub profile: Profile,
    /// Its stands; none for what somebody bears.
    pub stands: i32,
    /// Its points.
    pub points: i32,
    /// How many there must be.
    pub min: i32,
    /// How many there may be, if the list says.
    pub max: Option<i32>,
    /// What these are counted for.
    pub scope: Scope,
}

/// A line of a list of siege equipment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ware {
    /// Which.
    pub item: Item,
    /// Its name in English.
    pub name_en: &'static str,
    /// Its name in French.
    pub name_fr: &'static str,
    /// The name it is opened under.
    pub sublist: Sublist,
    /// Its points.
    pub points: i32,
    /// The rule that holds its price and its Max.
    pub rule: RuleId,
    /// How many there may be per thousand points, if the list says.
    pub max: Option<i32>,
}

/// A cell that is a small number, or `-` for none.
#[allow(clippy::panic, reason = "runs while the crate is compiled: bad data stops the build")]
const fn cell(word: &str) -> Option<i32> {
    match word.as_bytes() {
        [b'-'] => None,
        [digit] if digit.is_ascii_digit() => Some((*digit - b'0') as i32),
        _ => panic!("a limit of a list is neither a digit nor -"),
    }
}

const fn some(cell: Option<i32>) -> i32 {
    match cell {
        Some(number) => number,
        None => 0,
    }
}

/// The rows of an army list, typed.
macro_rules! army_list {
    ($table:ident) => {{
        const NONE: Entry = Entry {
            line: Line::General,
            name_en: "",
            name_fr: "",
            kind: Kind::General,
            profile: Profile { attack: 0, shooting: "", range_cm: "", hits: "", armour: "", command: "" },
            stands: 0,
            points: 0,
            min: 0,
            max: None,
            scope: Scope::PerArmy,
        };
        let mut list = [NONE; $table.len()];
        let mut at = 0;
        while at < list.len() {
            let row = &$table[at];
            list[at] = Entry {
                line: Line::read(row.id),
                name_en: row.unit,
                name_fr: row.unit_fr,
                kind: Kind::read(row.type_),
                profile: Profile {
                    attack: row.attack_combat,
                    shooting: row.attack_shooting,
                    range_cm: row.range_cm,
                    hits: row.hits,
                    armour: row.armour,
                    command: row.command,
                },
                stands: some(cell(row.stands)),
                points: row.points,
                min: some(cell(row.min_per_1000)),
                max: cell(row.max_per_1000),
                scope: Scope::read(row.limit_scope),
            };
            at += 1;
        }
        list
    }};
}

static EMPIRE: [Entry; ARMY_EMPIRE.len()] = army_list!(ARMY_EMPIRE);
static DWARF: [Entry; ARMY_DWARF.len()] = army_list!(ARMY_DWARF);

/// Everything that is bought with equipment points: first the siege equipment, then the artillery.
static WARES: [Ware; EQUIPMENT_SIEGE.len() + EQUIPMENT_ARTILLERY.len()] = {
    const NONE: Ware = Ware {
        item: Item::Earthwork,
        name_en: "",
        name_fr: "",
        sublist: Sublist::Earthworks,
        points: 0,
        rule: rule!(BR_EARTHWORKS_02),
        max: None,
    };
    let mut wares = [NONE; EQUIPMENT_SIEGE.len() + EQUIPMENT_ARTILLERY.len()];
    let mut at = 0;
    while at < EQUIPMENT_SIEGE.len() {
        let row = &EQUIPMENT_SIEGE[at];
        let item = Item::read(row.id);
        wares[at] = Ware {
            item,
            name_en: row.name_en,
            name_fr: row.name_fr,
            sublist: Sublist::read(row.sublist),
            points: row.cost,
            rule: profile(item),
            max: None,
        };
        at += 1;
    }
    let mut at = 0;
    while at < EQUIPMENT_ARTILLERY.len() {
        let row = &EQUIPMENT_ARTILLERY[at];
        let item = Item::read(row.id);
        wares[EQUIPMENT_SIEGE.len() + at] = Ware {
            item,
            name_en: row.name_en,
            name_fr: row.name_fr,
            sublist: Sublist::SiegeArtillery,
            points: row.cost,
            rule: profile(item),
            max: Some(row.max_per_1000),
        };
        at += 1;
    }
    wares
};

/// The rule that holds the profile of an item.
const fn profile(item: Item) -> RuleId {
    match item {
        Item::Earthwork => rule!(BR_EARTHWORKS_02),
        Item::OilRocks => rule!(BR_EQUIPMENT_17),
        Item::PortableRam => rule!(BR_EQUIPMENT_18),
        Item::Ladders => rule!(BR_EQUIPMENT_19),
        Item::Sow => rule!(BR_EQUIPMENT_20),
        Item::Mantlets => rule!(BR_EQUIPMENT_21),
        Item::SiegeTower => rule!(BR_EQUIPMENT_22),
        Item::Ram => rule!(BR_EQUIPMENT_23),
        Item::Mangonel => rule!(BR_ARTILLERY_02),
        Item::Bombard => rule!(BR_ARTILLERY_03),
        Item::Trebuchet => rule!(BR_ARTILLERY_04),
    }
}

/// A line that hangs together with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tie {
    army: Army,
    pub(crate) line: Line,
    pub(crate) relation: Relation,
    pub(crate) other: Line,
}

static TIES: [Tie; ARMY_RELATIONS.len()] = {
    const NONE: Tie =
        Tie { army: Army::Empire, line: Line::General, relation: Relation::BorneBy, other: Line::General };
    let mut ties = [NONE; ARMY_RELATIONS.len()];
    let mut at = 0;
    while at < ties.len() {
        let row = &ARMY_RELATIONS[at];
        ties[at] = Tie {
            army: Army::read(row.army),
            line: Line::read(row.line),
            relation: Relation::read(row.relation),
            other: Line::read(row.other),
        };
        at += 1;
    }
    ties
};

impl Army {
    /// Its list.
    #[must_use]
    pub fn list(self) -> &'static [Entry] {
        match self {
            Self::Empire => &EMPIRE,
            Self::Dwarf => &DWARF,
        }
    }

    /// A line of its list, if it has it.
    #[must_use]
    pub fn entry(self, line: Line) -> Option<&'static Entry> {
        self.list().iter().find(|entry| entry.line == line)
    }

    /// How its lines hang together, in the order of the table.
    pub(crate) fn ties(self) -> impl Iterator<Item = &'static Tie> {
        TIES.iter().filter(move |tie| tie.army == self)
    }
}

impl Entry {
    /// What it is called.
    #[must_use]
    pub const fn name(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.name_en,
            Lang::Fr => self.name_fr,
        }
    }

    /// Whether it is a character, who has a Command of his own.
    #[must_use]
    pub const fn is_character(&self) -> bool {
        matches!(self.kind, Kind::General | Kind::Hero | Kind::Wizard)
    }
}

impl Ware {
    /// Everything, first the siege equipment, then the artillery.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &WARES
    }

    /// What it is called.
    #[must_use]
    pub const fn name(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.name_en,
            Lang::Fr => self.name_fr,
        }
    }
}

impl Item {
    /// Whether it is assigned to a unit of infantry, which then carries it.
    #[must_use]
    pub const fn is_carried(self) -> bool {
        match self {
            Self::Ladders | Self::Mantlets | Self::PortableRam | Self::Ram | Self::SiegeTower | Self::Sow => {
                true
            }
            Self::Earthwork | Self::OilRocks | Self::Mangonel | Self::Bombard | Self::Trebuchet => false,
        }
    }
}

/// The most of one thing that a list may ask for.
pub const MOST: i32 = 200;

/// How many of each, `{"general": 1}`: an unknown name, a name given twice and a number that cannot
/// be are refused when it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts<K>(BTreeMap<K, i32>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Copy> Counts<K> {
    /// How many of one.
    #[must_use]
    pub fn of(&self, what: K) -> i32 {
        self.0.get(&what).copied().unwrap_or(0)
    }

    /// Adds some of one; never more than [`MOST`] in all.
    pub fn add(&mut self, what: K, count: i32) {
        let have = self.0.entry(what).or_default();
        *have = have.saturating_add(count).clamp(0, MOST);
    }

    /// The same without one.
    #[must_use]
    pub fn without(&self, what: K) -> Self {
        Self(
            self.0.iter().filter(|(other, _)| **other != what).map(|(&what, &count)| (what, count)).collect(),
        )
    }

    /// All that are named, in order, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (K, i32)> {
        self.0.iter().map(|(&what, &count)| (what, count))
    }
}

impl<K: Ord> FromIterator<(K, Whole<0, MOST>)> for Counts<K> {
    fn from_iter<I: IntoIterator<Item = (K, Whole<0, MOST>)>>(counts: I) -> Self {
        Self(counts.into_iter().map(|(what, count)| (what, count.get())).collect())
    }
}

impl<K: Listed> Serialize for Counts<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(what, count)| (what.id(), count)))
    }
}

impl<'de, K: Listed> Deserialize<'de> for Counts<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names<K>(PhantomData<K>);
        impl<'de, K: Listed> Visitor<'de> for Names<K> {
            type Value = Counts<K>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "how many of {}", K::NAMES.join(", "))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Counts<K>, A::Error> {
                let mut counts = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let what = K::named(&name).ok_or_else(|| A::Error::unknown_field(&name, K::NAMES))?;
                    if counts.insert(what, map.next_value::<Whole<0, MOST>>()?.get()).is_some() {
                        return Err(A::Error::duplicate_field(what.id()));
                    }
                }
                Ok(Counts(counts))
            }
        }
        deserializer.deserialize_map(Names(PhantomData))
    }
}

impl<K: Listed> JsonSchema for Counts<K> {
    fn schema_name() -> Cow<'static, str> {
        format!("Counts{}", K::NAMES.len()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let count = Whole::<0, MOST>::json_schema(generator);
        let names: serde_json::Map<String, serde_json::Value> =
            K::NAMES.iter().map(|name| ((*name).to_owned(), count.clone().to_value())).collect();
        json_schema!({ "type": "object", "properties": names, "additionalProperties": false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both lists hold each line once, and every line stands in a list.
    #[test]
    fn every_line_stands_in_a_list() {
        for army in [Army::Empire, Army::Dwarf] {
            for entry in army.list() {
                assert_eq!(army.entry(entry.line), Some(entry));
            }
            for tie in army.ties() {
                assert!(army.entry(tie.line).is_some() && army.entry(tie.other).is_some(), "{tie:?}");
            }
        }
        let listed =
            |line: &&Line| Army::Empire.entry(**line).is_some() || Army::Dwarf.entry(**line).is_some();
        assert_eq!(Line::ALL.iter().filter(listed).count(), Line::ALL.len());
        for item in Item::ALL {
            assert_eq!(Ware::all().iter().filter(|ware| ware.item == *item).count(), 1, "{item:?}");
        }
    }

    /// An upgrade of the list costs what its line adds.
    #[test]
    fn the_prices_are_those_of_the_lists() {
        let price = |army: Army, line| army.entry(line).map(|entry| entry.points);
        assert_eq!(price(Army::Dwarf, Line::Anvil), Some(50));
        assert_eq!(price(Army::Empire, Line::Griffon), Some(80));
        assert_eq!(price(Army::Dwarf, Line::Halberdiers), None);
    }
}
