//! The scenarios as the tables set them up (section 7 of the game page): nobody places anything.

use std::collections::BTreeMap;

use rulebook::options::campaign::{AusterlitzTurns, Options, StartAp};
use rulebook::tables::campaign::{
    GAME_CALENDAR, GAME_CONTROL, GAME_LEADERS_SETUP, GAME_PONTOONS, GAME_REINFORCEMENTS, GAME_SETUP,
    GameCalendar, GameScenarios, GameScenariosScenario,
};

use crate::map::map;
use crate::terms::{Army, Hex, Month, Weather};

use super::roll::Roll;
use super::roster::{self, LeaderId, UnitId, arm, hex};
use super::state::{
    Base, Force, Host, Leader, Phase, Prussia, Public, Scenario, State, Talks, Train, Unit, Watch,
    Whereabouts,
};

/// The scenarios that can be played.
pub const SCENARIOS: [&str; 4] = ["austerlitz", "hollabrunn", "november", "december"];

impl Scenario {
    /// The scenario of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "austerlitz" => Self::Austerlitz,
            "hollabrunn" => Self::Hollabrunn,
            "november" => Self::November,
            "december" => Self::December,
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Austerlitz => "austerlitz",
            Self::Hollabrunn => "hollabrunn",
            Self::November => "november",
            Self::December => "december",
        }
    }

    /// Its row.
    pub(crate) fn row(self) -> &'static GameScenarios {
        match self {
            Self::Austerlitz => GameScenariosScenario::Austerlitz,
            Self::Hollabrunn => GameScenariosScenario::Hollabrunn,
            Self::November => GameScenariosScenario::November,
            Self::December => GameScenariosScenario::December,
        }
        .row()
    }
}

impl State {
    /// The row of the calendar; the third turn of Austerlitz is that of the campaign.
    pub(crate) fn calendar(&self) -> Option<&'static GameCalendar> {
        self.calendar_of(self.public.turn)
    }

    /// The row of a turn.
    pub(crate) fn calendar_of(&self, turn: u8) -> Option<&'static GameCalendar> {
        let turn = i32::from(turn);
        let of = |name: &str| GAME_CALENDAR.iter().find(|row| row.scenario == name && row.turn == turn);
        of(self.public.scenario.name()).or_else(|| of("december"))
    }

    /// The month of the weather chart.
    pub(crate) fn month(&self) -> Month {
        match self.calendar().map(|row| row.weather_month) {
            Some("november") => Month::November,
            _ => Month::December,
        }
    }

    /// The last turn there can be.
    pub(crate) fn last_turn(&self) -> u8 {
        let last = self.public.scenario.row().last_turn;
        let three = self.public.scenario == Scenario::Austerlitz
            && self.public.options.austerlitz_turns == AusterlitzTurns::Three;
        u8::try_from(last + i32::from(three)).unwrap_or(u8::MAX)
    }
}

fn host(scenario: &str, army: Army, row: &GameScenarios) -> Host {
    let mine = |side: &str| roster::army(side) == army;
    let first_turn = row.first_turn;
    let place = |at: &str, turn: i32| {
        let at = hex(at);
        if turn <= first_turn {
            Whereabouts::Map(at)
        } else {
            Whereabouts::Due { hex: at, turn: u8::try_from(turn).unwrap_or(u8::MAX) }
        }
    };
    let leaders = GAME_LEADERS_SETUP.iter().filter(|row| row.scenario == scenario && mine(row.side));
    let leaders: Roll<LeaderId, Leader> = leaders
        .filter_map(|row| {
            let at = if row.how == "called" { Whereabouts::Called } else { place(row.hex, row.turn) };
            let superior = row.superior.and_then(LeaderId::named);
            Some((LeaderId::named(row.leader)?, Leader { superior, at, organised: false }))
        })
        .collect();
    let unit = |kind: &str, sp: i32, leader: Option<&str>, at: Whereabouts| Unit {
        arm: arm(kind),
        sp,
        most: sp,
        leader: leader.and_then(LeaderId::named).filter(|leader| leaders.contains_key(leader)),
        at,
        organised: false,
    };
    let here = GAME_SETUP.iter().filter(|row| row.scenario == scenario && mine(row.side));
    let mut units: Roll<UnitId, Unit> = here
        .filter_map(|row| {
            let found = unit(row.arm, row.sp, Some(row.leader), place(row.hex, row.turn));
            Some((UnitId::named(row.unit)?, found))
        })
        .collect();
    for row in GAME_REINFORCEMENTS.iter().filter(|row| row.scenario == scenario && mine(row.side)) {
        let at = if row.how == "call_mortier" { Whereabouts::Called } else { place(row.hex, row.turn) };
        if let Some(id) = UnitId::named(row.unit) {
            units.insert(id, unit(row.arm, row.sp, row.leader, at));
        }
    }
    let train = GAME_PONTOONS.iter().find(|row| row.scenario == scenario && mine(row.side));
    let train = train.and_then(|row| LeaderId::named(row.leader)).map_or(Train::None, Train::With);
    Host {
        leaders,
        units,
        vedettes: BTreeMap::new(),
        flags: Roll::new(),
        hand: None,
        pool: [0; 2],
        foraged: Vec::new(),
        foraging: Vec::new(),
        worn: 0,
        gone: [0; 3],
        replaced: 0,
        train,
        watch: Watch::default(),
        watch_set: false,
        skip: None,
        asked_for: Vec::new(),
        centre_moved: false,
        source_changed: false,
        replacement_used: false,
        sealed: None,
        deaf: false,
        force: Force::default(),
        groups: Vec::new(),
        pursuers: Vec::new(),
        reports: Vec::new(),
        reported: Vec::new(),
    }
}

/// The table of a scenario.
pub(crate) fn table(scenario: Scenario, options: Options) -> State {
    let row = scenario.row();
    let name = scenario.name();
    let raised = options.start_ap == StartAp::Raised;
    let base = |army: Army| {
        let french = army == Army::French;
        let (centre, source, battle, ap, original, commands) = if french {
            let ap = (row.french_ap, row.french_ap_original);
            (row.french_centre, row.french_source, row.french_battle_source, ap.0, ap.1, row.french_commands)
        } else {
            let ap = (row.allied_ap, row.allied_ap_original);
            (row.allied_centre, row.allied_source, row.allied_battle_source, ap.0, ap.1, row.allied_commands)
        };
        Base {
            centre: Some(hex(centre)),
            active_from: 0,
            source: hex(source.or(battle).unwrap_or(centre)),
            ap: if raised { ap } else { original },
            commands: commands.unwrap_or(0),
            lost: 0,
        }
    };
    let mut control: BTreeMap<_, _> = map()
        .cells()
        .iter()
        .filter(|cell| cell.in_play && matches!(cell.hex, Hex::Town | Hex::Depot | Hex::Citadel))
        .map(|cell| (cell.id, Army::AustroRussian))
        .collect();
    for row in GAME_CONTROL.iter().filter(|row| row.scenario == name) {
        control.insert(hex(row.hex), roster::army(row.side));
    }
    let first = roster::army(row.first_player);
    State {
        public: Public {
            scenario,
            options,
            turn: u8::try_from(row.first_turn).unwrap_or(1),
            first,
            phasing: first,
            second: false,
            own_turns: [0; 2],
            phase: Phase::Begin,
            asked: Some(first),
            weather: Weather::Clear,
            fog: false,
            die: None,
            bases: [base(Army::French), base(Army::AustroRussian)],
            control,
            captures: Vec::new(),
            damaged: Vec::new(),
            pontoons: Vec::new(),
            sieges: Vec::new(),
            attacked: Vec::new(),
            battle: None,
            walk: None,
            owed: Vec::new(),
            morale: row.vienna_morale.unwrap_or(0),
            talks: Talks::NotYet,
            prussia: Prussia::NotYet,
            critical: Vec::new(),
            napoleon: false,
            mortier: false,
            truce: false,
            outcome: None,
        },
        hosts: [host(name, Army::French, row), host(name, Army::AustroRussian, row)],
    }
}
