//! The sheets and the drawn map: complete, in both languages, well-formed.

use rulebook::Lang;

/// Every tag that opens is closed in order.
fn well_formed(markup: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in markup.split('<').skip(1) {
        let tag = part.split('>').next().unwrap_or_default();
        if tag.starts_with('!') || tag.starts_with("meta") || tag.ends_with('/') {
            continue;
        }
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => open.push(tag.split_whitespace().next().unwrap_or_default()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn fifteen_sheets_in_both_languages() {
    let (french, english) = (campaign::charts(Lang::Fr), campaign::charts(Lang::En));
    assert_eq!((french.len(), english.len()), (15, 15));
    for ((name, fr), (same, en)) in french.iter().zip(&english) {
        assert_eq!(name, same);
        assert_ne!(fr, en);
        well_formed(fr);
        well_formed(en);
        assert!(!fr.contains("campaign-") && !en.contains("campaign-"), "{name} shows the key of a word");
    }
    assert_eq!(french.iter().map(|(_, html)| html.matches("<td>").count()).sum::<usize>(), 738);
}

#[test]
fn a_sheet_prints_what_the_questions_answer() {
    let combat = &campaign::charts(Lang::En)[5].1;
    let printed: Vec<&str> =
        combat.split("<td>").skip(1).map(|cell| cell.split("</td>").next().unwrap()).collect();
    assert_eq!(printed.len(), 77);
    for (place, cell) in printed.iter().enumerate() {
        let (die, column) = (place / 11, place % 11);
        let shift = i64::try_from(column).unwrap() - 5;
        let face = die.max(1);
        let request = format!(
            r#"{{"attacker_sp": 1, "defender_sp": 1, "ground": "plain", "shift": {shift}, "bonus": {}, "dice": [{face}]}}"#,
            face - die
        );
        let found = crate::answer("campaign.combat", &request);
        let result = format!("{}/{}", found["attacker"], found["defender"]);
        let expected = if found["loser"] == "attacker" { format!("<b>{result}</b>") } else { result };
        assert_eq!(*cell, expected, "{request}");
    }
}

#[test]
fn the_map_is_drawn_whole() {
    for lang in Lang::ALL {
        let svg = campaign::map_svg(lang);
        well_formed(&svg);
        for name in ["Austerlitz", "Brünn", "Olmütz", "Znaim", "Donau", "March", "3954"] {
            assert!(svg.contains(&format!(">{name}<")), "{name}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf "));
    }
    assert!(campaign::map_svg(Lang::Fr).contains("La campagne de 1805"));
}
