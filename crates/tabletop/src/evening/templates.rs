//! The units of the national lists (tabletop core, files `national-units`, `cavalry-types`,
//! `artillery-types` and `officers`) as bodies that can be put on a table.

use kernel::Whole;
use rulebook::tables::tabletop_core::{
    ARTILLERY_TYPES, ArtilleryTypes, CAVALRY_TYPES, CavalryTypes, NATIONAL_FIGURES, NATIONAL_UNITS,
    NationalFigures, NationalUnits, OFFICERS,
};

use crate::fire::Calibre;
use crate::scene::{
    Battery, Company, Drill, DrillClass, Formation, GunTeam, Muster, Officer, Status, Weapon, Weight,
    WeightClass,
};

/// A unit of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The army, as the list names it; nothing for officers, who are alike everywhere.
    pub nation: Option<&'static str>,
    /// The unit, as the list names it.
    pub name: &'static str,
    /// What it is made of.
    pub troops: Muster,
    /// Its status.
    pub status: Status,
    /// Its morale.
    pub morale: Option<Whole<0, 20>>,
    /// The formation it is put down in.
    pub formation: Formation,
    /// Figures, or guns of a battery.
    pub strength: i32,
}

/// Every unit of the lists, in their order.
#[must_use]
pub fn templates() -> Vec<Template> {
    let mut all: Vec<Template> = NATIONAL_UNITS.iter().filter_map(infantry).collect();
    all.extend(ARTILLERY_TYPES.iter().filter_map(battery));
    all.extend(CAVALRY_TYPES.iter().filter_map(cavalry));
    all.extend(OFFICERS.iter().map(|officer| Template {
        nation: None,
        name: officer.grade,
        troops: Muster::Officer(Officer {
            general: officer.grade != "aide de camp",
            command: Whole::new(officer.command),
            charisma: Whole::new(officer.charisma),
            budget: budget(officer.budget),
        }),
        status: Status::Regular,
        morale: None,
        formation: Formation::Single,
        strength: 1,
    }));
    all
}

fn budget(points: i32) -> u32 {
    u32::try_from(points).unwrap_or(0)
}

fn status(name: &str) -> Status {
    match name {
        "irregular" => Status::Irregular,
        "elite" => Status::Elite,
        "guard" => Status::Guard,
        _ => Status::Regular,
    }
}

/// A battalion: its companies by the composition of the list, each of one kind of figure.
fn infantry(unit: &NationalUnits) -> Option<Template> {
    let mut companies: Vec<Company> = Vec::new();
    let mut morale = None;
    for part in unit.composition.split(" + ") {
        let (count, kind) = part.split_once(' ')?;
        let figure = NATIONAL_FIGURES.iter().find(|row| row.nation == unit.nation && row.figure == kind)?;
        // A mixed unit has the morale of its majority, which the list names first.
        morale = morale.or_else(|| Whole::new(figure.morale));
        let of_kind = count.parse::<i32>().ok()? / unit.figures_per_company.max(1);
        for number in 1..=of_kind {
            let name = if of_kind == 1 { kind.to_owned() } else { format!("{kind} {number}") };
            companies.push(company(figure, name, unit.figures_per_company)?);
        }
    }
    let last = companies.len().saturating_sub(1);
    for (place, company) in companies.iter_mut().enumerate() {
        company.light = match unit.may_skirmish {
            "none" => false,
            "one company" => place == 0,
            "two companies" => place < 2,
            "voltigeurs" => company.name.starts_with("voltigeur"),
            light if light.starts_with("light company") => place == last,
            whole => whole.starts_with("whole"),
        };
    }
    Some(Template {
        nation: Some(unit.nation),
        name: unit.unit,
        troops: Muster::Infantry(Drill {
            class: match unit.movement_class {
                "B" => DrillClass::B,
                "C" => DrillClass::C,
                _ => DrillClass::A,
            },
            companies,
        }),
        status: status(unit.status),
        morale,
        formation: Formation::Line,
        strength: unit.figures,
    })
}

fn company(figure: &NationalFigures, name: String, figures: i32) -> Option<Company> {
    Some(Company {
        name,
        figures: Whole::new(figures)?,
        initial: None,
        fire: Whole::new(figure.base_fire)?,
        melee: Whole::new(figure.base_melee),
        weapon: (figure.weapon == "rifle").then_some(Weapon::Rifle),
        elite: matches!(figure.status, "elite" | "guard"),
        sappers: matches!(figure.figure, "sapper" | "pioneer"),
        light: false,
    })
}

fn cavalry(unit: &CavalryTypes) -> Option<Template> {
    let special = unit.special.unwrap_or_default();
    let each = unit.figures / unit.squadrons.max(1);
    let squadron = |number: i32| {
        Some(Company {
            name: format!("squadron {number}"),
            figures: Whole::new(each)?,
            initial: None,
            fire: Whole::new(unit.base_fire)?,
            melee: Whole::new(unit.base_melee),
            weapon: (unit.weapon == "none").then_some(Weapon::None),
            elite: matches!(unit.status, "elite" | "guard"),
            sappers: false,
            light: false,
        })
    };
    Some(Template {
        nation: Some(unit.nation),
        name: unit.type_,
        troops: Muster::Cavalry(Weight {
            class: match unit.class {
                "heavy" => WeightClass::Heavy,
                "medium" => WeightClass::Medium,
                "irregular" => WeightClass::Irregular,
                _ => WeightClass::Light,
            },
            cuirass: special == "cuirass",
            lance: special.starts_with("lance"),
            companies: (1..=unit.squadrons).map(squadron).collect::<Option<_>>()?,
        }),
        status: status(unit.status),
        morale: Whole::new(unit.morale),
        formation: Formation::Line,
        strength: unit.figures,
    })
}

fn battery(unit: &ArtilleryTypes) -> Option<Template> {
    let calibre = match unit.calibre {
        3 => Calibre::Three,
        4 => Calibre::Four,
        6 => Calibre::Six,
        8 => Calibre::Eight,
        9 => Calibre::Nine,
        12 => Calibre::Twelve,
        _ => return None,
    };
    Some(Template {
        nation: Some(unit.nation),
        name: unit.type_,
        troops: Muster::Artillery(Battery {
            calibre,
            guns: Whole::new(unit.pieces)?,
            crew: None,
            initial_crew: None,
            fire: Whole::new(unit.base_fire)?,
            melee: Whole::new(unit.base_melee),
            team: if unit.movement_class == "horse" { GunTeam::Horse } else { GunTeam::Foot },
            howitzers: false,
            budget: budget(unit.battery_budget),
        }),
        status: status(unit.status),
        morale: Whole::new(unit.morale),
        formation: Formation::InPosition,
        strength: unit.pieces,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The battalions the fire chapter counts (2.2): 12 French in six companies, 20 British in ten.
    #[test]
    fn every_unit_of_the_lists_becomes_a_body_with_all_its_figures() {
        let all = templates();
        let rows = NATIONAL_UNITS.len() + ARTILLERY_TYPES.len() + CAVALRY_TYPES.len() + OFFICERS.len();
        assert_eq!(all.len(), rows);
        for one in &all {
            let companies = match &one.troops {
                Muster::Infantry(drill) => &drill.companies,
                Muster::Cavalry(weight) => &weight.companies,
                Muster::Artillery(_) | Muster::Officer(_) => continue,
            };
            let figures: i32 = companies.iter().map(|company| company.figures.get()).sum();
            assert_eq!(figures, one.strength, "{:?} {}", one.nation, one.name);
        }
        let french = all.iter().find(|one| one.name == "line battalion (field strength)").unwrap();
        let Muster::Infantry(drill) = &french.troops else { unreachable!() };
        let factors: Vec<i32> = drill.companies.iter().map(|company| company.fire.get()).collect();
        assert_eq!(factors, [4, 4, 4, 4, 5, 6]);
        assert_eq!(drill.companies.iter().filter(|company| company.light).count(), 1);
    }
}
