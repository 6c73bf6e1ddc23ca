//! Markup as a validator reads it: a page enters, what is wrong with it leaves. Only what maud lets
//! through is looked for; that tags are closed is its own affair.

use std::collections::HashSet;

/// Elements that have no end.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];

struct Tag<'a> {
    name: &'a str,
    closes: bool,
    /// Nothing is in it.
    alone: bool,
    attributes: Vec<(&'a str, &'a str)>,
}

impl Tag<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// The tags of a page in order. The signs of a tag stand nowhere else: maud writes them as entities.
fn tags(page: &str) -> impl Iterator<Item = Tag<'_>> {
    page.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(inside, _)| {
        let (closes, inside) = inside.strip_prefix('/').map_or((false, inside), |inside| (true, inside));
        let (alone, inside) = inside.strip_suffix('/').map_or((false, inside), |inside| (true, inside));
        let (name, rest) = inside.split_once(' ').unwrap_or((inside, ""));
        Tag { name, closes, alone: alone || VOID.contains(&name), attributes: attributes(rest) }
    })
}

fn attributes(mut rest: &str) -> Vec<(&str, &str)> {
    let mut all = Vec::new();
    loop {
        rest = rest.trim_start();
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        if end == 0 {
            return all;
        }
        let name = &rest[..end];
        rest = &rest[end..];
        let quoted = rest.strip_prefix("=\"").and_then(|value| value.split_once('"'));
        all.push((name, quoted.map_or("", |(value, _)| value)));
        rest = quoted.map_or(rest, |(_, after)| after);
    }
}

/// What is wrong with a whole page.
pub(crate) fn faults_of_page(page: &str) -> Vec<String> {
    let described: Vec<String> = tags(page)
        .filter(|tag| tag.name == "meta" && tag.get("name") == Some("description"))
        .map(|tag| tag.get("content").unwrap_or_default().to_owned())
        .collect();
    let mut faults = faults(page);
    if !matches!(&described[..], [about] if about.contains(' ')) {
        faults.push(format!("described as {described:?}"));
    }
    faults
}

/// What is wrong with a part of a page.
pub(crate) fn faults(page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ids = HashSet::new();
    let mut children: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut unanswered = false;
    for tag in tags(page).filter(|tag| !tag.name.starts_with('!')) {
        if tag.closes {
            let (name, inner) = children.pop().unwrap_or_default();
            if name != tag.name {
                faults.push(format!("<{name}> is closed by </{}>", tag.name));
            }
            let caption = inner.iter().position(|child| *child == "figcaption");
            if caption.is_some_and(|place| place != 0 && place + 1 != inner.len()) {
                faults.push(format!("a caption in the middle of its figure: {inner:?}"));
            }
            continue;
        }
        let mut known = HashSet::new();
        for (name, _) in tag.attributes.iter().filter(|(name, _)| !known.insert(*name)) {
            faults.push(format!("<{}> has two attributes {name}", tag.name));
        }
        if let Some(id) = tag.get("id").filter(|id| !ids.insert((*id).to_owned())) {
            faults.push(format!("two elements are called {id}"));
        }
        if tag.name == "button" && tag.get("type").is_none() {
            faults.push("a button without a type".to_owned());
        }
        if std::mem::take(&mut unanswered) && tag.get("value") != Some("") {
            faults.push("a choice that must be made begins with an answer".to_owned());
        }
        unanswered = tag.name == "select" && tag.get("required").is_some();
        if let Some((_, inner)) = children.last_mut() {
            inner.push(tag.name);
        }
        if !tag.alone {
            children.push((tag.name, Vec::new()));
        }
    }
    faults
}
