//! Why something may not be done on the operational map, as a small value: the generators of moves
//! and targets throw it away, the validators turn it into a [`Refusal`] that names the rule.

use kernel::{Phrase, Refusal, RuleId};
use rulebook::{phrase::danzig_ops as phrase, rule};

macro_rules! bars {
    ($($(#[$meta:meta])* $name:ident = $rule:ident, $phrase:ident;)*) => {
        /// What stands in the way.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Bar {
            $($(#[$meta])* $name,)*
            /// More movement points are needed than are left.
            Points {
                /// What it costs.
                cost: u8,
                /// What is left.
                left: u8,
                /// The rule that gives the allowance.
                rule: RuleId,
            },
        }

        impl Bar {
            /// The rule and the words, but for missing movement points.
            #[inline(always)]
            const fn plain(self) -> Option<(RuleId, Phrase)> {
                match self {
                    $(Self::$name => Some((rule!($rule), phrase::$phrase)),)*
                    Self::Points { .. } => None,
                }
            }

            /// Every bar that has no figures.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

bars! {
    /// The sea is no ground for troops.
    Sea = DZ_TET_01, SEA;
    /// The map ends here.
    OffMap = DZ_R92, OFF_MAP;
    /// A wall stands here: only the gates lead in and out.
    Wall = DZ_3_1_09, WALL;
    /// The French can neither enter nor attack the city and the fort from this map.
    FrenchAtWalls = DZ_3_8_1_01, FRENCH_AT_WALLS;
    /// Since the siege works began only the Alt-Schottland road and the ferry track lead in and out.
    GateClosed = DZ_3_1_10, GATE_CLOSED;
    /// Kamenski's units enter the city only by the Alt-Schottland road or the ferry track.
    GateOfKamenski = DZ_4_2_08, GATE_OF_KAMENSKI;
    /// The fort is entered and left only through its gates, along a track.
    FortGate = DZ_R97, FORT_GATE;
    /// The Vistula is crossed only by a bridge, the ferry or boats.
    Vistula = DZ_TET_01, VISTULA;
    /// An enemy stands where the ferry lands.
    FerryHeld = DZ_R35, FERRY_HELD;
    /// Artillery cannot enter a forest.
    ForestGuns = DZ_TET_09, FOREST_GUNS;
    /// Cavalry and guns enter the camp only along a road or track.
    CampHexside = DZ_TET_10, CAMP_HEXSIDE;
    /// No charge crosses this ground.
    ChargeBarred = DZ_TET_11, CHARGE_BARRED;
    /// An enemy holds that hex.
    Enemy = DZ_R94, ENEMY;
    /// The siege map covers that hex: it is closed to Prussians and Russians.
    Covered = DZ_3_1_2_03, COVERED;
    /// The move of this unit is over.
    Stopped = DZ_R94, STOPPED;
    /// No unit goes straight from one hex to another controlled by the same enemy.
    ZoneToZone = DZ_R94, ZONE_TO_ZONE;
    /// A square does not move.
    SquareStands = DZ_R94, SQUARE_STANDS;
    /// A line moves only into its front hexes.
    LineAhead = DZ_R94, LINE_AHEAD;
    /// Guns in battery do not move.
    Unlimbered = DZ_R94, UNLIMBERED;
    /// Blown cavalry does not move in this round.
    Blown = DZ_R94, BLOWN;
    /// This unit does not move on the operational map.
    Immobile = DZ_R91, IMMOBILE;
    /// A disorganised unit only retreats.
    Disordered = DZ_R30, DISORDERED;
    /// This unit is not on the operational map.
    NotHere = DZ_R94, NOT_HERE;
    /// Units move together only from one hex and in good order.
    Apart = DZ_R94, APART;
    /// This unit has already moved.
    Moved = DZ_R94, MOVED;
    /// This unit is crossing the river and does nothing else.
    Crossing = DZ_3_1_3_02, CROSSING;
    /// There is no room for it in that hex.
    Stacking = DZ_R94, STACKING;
    /// A unit that has used the road bonus cannot stop beside another regiment.
    ColumnOfRoute = DZ_R94, COLUMN_OF_ROUTE;
    /// The ground does not allow this formation.
    FormationTerrain = DZ_TET_13, FORMATION_TERRAIN;
    /// This arm does not know this formation.
    FormationArm = DZ_R94, FORMATION_ARM;
    /// Only light infantry skirmishes.
    NotLight = DZ_R94, NOT_LIGHT;
    /// It is already in this formation.
    SameFormation = DZ_R94, SAME_FORMATION;
    /// It already faces this way or has no facing.
    SameFacing = DZ_R94, SAME_FACING;
    /// Siege batteries cannot unlimber on the operational map.
    SiegeGunsLimbered = DZ_3_3_2_01, SIEGE_GUNS_LIMBERED;
    /// Mortars cannot unlimber on the operational map.
    MortarsLimbered = DZ_3_3_3_01, MORTARS_LIMBERED;
    /// The concentration area is entered only from the red-arrow hexes.
    NoArrow = DZ_3_1_4_01, NO_ARROW;
    /// Cavalry does not enter the siege map.
    CavalryBarred = DZ_R71, CAVALRY_BARRED;
    /// Lannes's troops do not enter the siege map.
    LannesBarred = DZ_3_1_4_04, LANNES_BARRED;
    /// Prussians and Russians never enter the concentration area.
    PrussianBarred = DZ_3_1_2_03, PRUSSIAN_BARRED;
    /// This regiment was not in the concentration area at the start of the round.
    NotInConcentration = DZ_R71, NOT_IN_CONCENTRATION;
    /// All surviving battalions of the regiment must be there and in order.
    BattalionsMissing = DZ_4_2_02, BATTALIONS_MISSING;
    /// Both battalions of the Fusiliers leave the city together, the first at their head.
    FusiliersApart = DZ_R22, FUSILIERS_APART;
    /// The fort's ferry serves only units inside the fort.
    NoFort = DZ_3_1_3_05, NO_FORT;
    /// Boats leave from a hex on the Vistula for the hex across it.
    NotRiverside = DZ_3_1_3_01, NOT_RIVERSIDE;
    /// One stack per movement step crosses by boats.
    BoatsTaken = DZ_3_1_3_01, BOATS_TAKEN;
    /// There is already a bridge.
    BridgeExists = DZ_R36, BRIDGE_EXISTS;
    /// A bridge is built only where neither bank is shaded.
    BridgeShaded = DZ_3_1_3_07, BRIDGE_SHADED;
    /// A bridge is built by a French infantry unit in order beside that hexside.
    BridgeBuilder = DZ_3_1_3_06, BRIDGE_BUILDER;
    /// The bridge is destroyed by a Prussian or Russian unit in one of its end hexes.
    NoBridgeEnd = DZ_3_1_3_08, NO_BRIDGE_END;
    /// The ferry cannot be destroyed.
    FerryStands = DZ_3_1_3_04, FERRY_STANDS;
    /// There is no unbuilt redoubt in that hex.
    RedoubtNone = DZ_3_8_3_01, REDOUBT_NONE;
    /// A redoubt is built by a French infantry unit in order that has not moved in this step.
    RedoubtBuilder = DZ_3_1_06, REDOUBT_BUILDER;
    /// This unit has no fire in its present state.
    CannotFire = DZ_R94, CANNOT_FIRE;
    /// This unit has already fired.
    FiredAlready = DZ_R94, FIRED_ALREADY;
    /// The target is not in front of the firer.
    OutOfArc = DZ_R94, OUT_OF_ARC;
    /// The target is out of range.
    OutOfRange = DZ_R94, OUT_OF_RANGE;
    /// Nothing is seen of the target.
    NoSight = DZ_3_4_01, NO_SIGHT;
    /// That hex has already been fired at in this step.
    TargetTaken = DZ_3_5_01, TARGET_TAKEN;
    /// No enemy stands there.
    NoTarget = DZ_3_5_01, NO_TARGET;
    /// There is nobody to attack.
    NobodyThere = DZ_R94, NO_TARGET;
    /// Nothing fired from the city or the fort reaches a blue-star hex.
    StarImmune = DZ_3_1_1_05, STAR_IMMUNE;
    /// The cover of the target leaves no fire value.
    CoverTooGood = DZ_TET_05, COVER_TOO_GOOD;
    /// Of a stack only one unit fires at a target.
    SecondOfStack = DZ_3_5_01, SECOND_OF_STACK;
    /// Fortress batteries stand on the siege map only.
    FortressBattery = DZ_R91, FORTRESS_BATTERY;
    /// A melee is fought with an adjacent hex.
    NotAdjacent = DZ_R94, NOT_ADJACENT;
    /// Units attack only through their front.
    NotAhead = DZ_R94, NOT_AHEAD;
    /// No melee is fought across the Vistula without a bridge.
    AcrossVistula = DZ_TET_06, ACROSS_VISTULA;
    /// Cavalry attacks neither a built redoubt nor across a camp hexside.
    CavalryAtWorks = DZ_R106, CAVALRY_AT_WORKS;
    /// Artillery never attacks in melee.
    GunsNeverAttack = DZ_R106, GUNS_NEVER_ATTACK;
    /// Infantry attacks over a bridge only in column.
    BridgeColumn = DZ_R40, BRIDGE_COLUMN;
    /// This formation does not attack.
    NeverAttacks = DZ_R94, NEVER_ATTACKS;
    /// That hex, or this unit, has already fought in this step.
    AttackedAlready = DZ_R94, ATTACKED_ALREADY;
    /// Nobody attacks.
    NobodyAttacks = DZ_R94, NOBODY_ATTACKS;
    /// Only cavalry in order that is not blown charges.
    NotCavalry = DZ_R94, NOT_CAVALRY;
    /// The last two hexes of a charge lie in a straight line.
    NoRun = DZ_R94, NO_RUN;
    /// This unit cannot react so.
    CannotReact = DZ_R94, CANNOT_REACT;
    /// An enemy holds that entry: the nearest free hex is another.
    EntryHeld = DZ_5_3_12, ENTRY_HELD;
    /// This unit does not enter the map there.
    NoEntry = DZ_5_3_02, NO_ENTRY;
    /// This unit does not wait to enter.
    NotWaiting = DZ_5_3_02, NOT_WAITING;
    /// Nobody from there can move into the hex that was won.
    NoAdvance = DZ_R94, NO_ADVANCE;
    /// First it must be said who occupies the hex that was won.
    VictorsFirst = DZ_R94, VICTORS_FIRST;
    /// Skirmishers cannot fall back there.
    CannotGiveWay = DZ_R94, CANNOT_GIVE_WAY;
    /// First the skirmishers give way or stand.
    SkirmishersFirst = DZ_R94, SKIRMISHERS_FIRST;
}

impl Bar {
    /// Bars the way if the condition holds. Its rule acts here, so that a test run can falsify it.
    ///
    /// # Errors
    /// This bar.
    #[inline(always)]
    pub(super) fn bars(self, condition: bool) -> Result<(), Self> {
        let free = self.plain().map_or(!condition, |(rule, _)| rule.holds(!condition));
        if free { Ok(()) } else { Err(self) }
    }
}

impl From<Bar> for Refusal {
    fn from(bar: Bar) -> Self {
        match (bar, bar.plain()) {
            (_, Some((rule, reason))) => Self::rule(rule, reason),
            (Bar::Points { cost, left, rule }, None) => {
                Self::rule(rule, phrase::POINTS).with("cost", cost).with("left", left)
            }
            (_, None) => Self::plain(kernel::phrase::NOT_OFFERED),
        }
    }
}
