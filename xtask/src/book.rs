//! The book of `docs/`: its list of chapters leads to every page and to nothing else, and it is built where
//! `mdbook` is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::packages::is_there;
use crate::run::{Failure, root, run, skipped};

/// Holds the chapters against the pages, and every link of a page against the files; then builds the book.
pub(crate) fn check() -> Result<(), Failure> {
    let docs = root().join("docs");
    let faults = faults(&docs)?;
    if !faults.is_empty() {
        return Err(format!("the book of docs/: {}", faults.join("; ")));
    }
    if !is_there("mdbook") {
        skipped(1, "mdbook is not installed: the book was checked and not built (cargo install mdbook)");
        return Ok(());
    }
    let mut build = Command::new("mdbook");
    build.arg("build").arg(&docs);
    run(build)
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// What is wrong with the chapters and the links.
fn faults(docs: &Path) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    let chapters: Vec<String> = links(&read(&docs.join("SUMMARY.md"))?);
    let listed: BTreeSet<PathBuf> = chapters.iter().map(PathBuf::from).collect();
    if listed.len() < chapters.len() {
        faults.push("a chapter stands twice in SUMMARY.md".to_owned());
    }
    let pages = pages(docs, Path::new(""));
    faults.extend(listed.difference(&pages).map(|page| format!("there is no {}", page.display())));
    faults.extend(pages.difference(&listed).map(|page| format!("{} is no chapter", page.display())));
    for page in pages.intersection(&listed) {
        let folder = docs.join(page.parent().unwrap_or(Path::new("")));
        for link in links(&read(&docs.join(page))?) {
            let target = link.split('#').next().unwrap_or_default();
            let elsewhere = target.is_empty() || link.contains("://") || link.starts_with("mailto:");
            if !elsewhere && !folder.join(target).exists() {
                faults.push(format!("{}: {link} leads nowhere", page.display()));
            }
        }
    }
    Ok(faults)
}

/// All pages below a folder, but for the list of them.
fn pages(docs: &Path, inside: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(docs.join(inside)).into_iter().flatten().flatten() {
        let place = inside.join(entry.file_name());
        if entry.path().is_dir() {
            found.extend(pages(docs, &place));
        } else if place.extension().is_some_and(|ending| ending == "md") && place != Path::new("SUMMARY.md") {
            found.insert(place);
        }
    }
    found
}

/// Where the links of a page lead, code left out.
fn links(page: &str) -> Vec<String> {
    let mut code = false;
    let lines = page.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !code && !fence
    });
    let of = |line: &str| -> Vec<String> {
        // What stands in back quotes is no link.
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let targets = plain.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.map(|target| normal(Path::new(target.trim()))).collect()
    };
    lines.flat_map(of).collect()
}

/// A link without `./` in it.
fn normal(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.contains("://") || !text.starts_with("./") {
        return text.into_owned();
    }
    path.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chapters_of_the_book_are_its_pages() {
        assert_eq!(faults(&root().join("docs")), Ok(Vec::new()));
    }

    #[test]
    fn a_page_that_is_no_chapter_and_a_link_that_leads_nowhere_are_found() {
        let docs = std::env::temp_dir().join(format!("glacis-book-{}", std::process::id()));
        fs::create_dir_all(docs.join("inner")).unwrap();
        let write = |name: &str, text: &str| fs::write(docs.join(name), text).unwrap();
        write("SUMMARY.md", "# Book\n\n- [One](one.md)\n- [Gone](gone.md)\n");
        write(
            "one.md",
            "[a](inner/two.md#x) [b](https://x.example/y) [c](lost.md) `[d](no.md)`\n```\n[e](f.md)\n```\n",
        );
        write("inner/two.md", "two\n");
        let found = faults(&docs).unwrap();
        fs::remove_dir_all(&docs).unwrap();
        assert_eq!(
            found,
            ["there is no gone.md", "inner/two.md is no chapter", "one.md: lost.md leads nowhere"]
        );
    }
}
