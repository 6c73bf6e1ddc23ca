//! Every page that can be reached from the front page is there, in both languages, and keeps the
//! policy: no style and no script but our own files. Their markup is sound.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::markup;

fn house() -> Router {
    let shown = glacis::systems().iter().map(|system| system.shown).collect();
    pages::router(pages::Pages::new(glacis::questions()).showing(shown))
}

async fn get(house: &Router, path: &str, lang: &str) -> (StatusCode, String, axum::http::HeaderMap) {
    let request = Request::get(path).header("accept-language", lang).body(Body::empty()).expect("a request");
    let response = house.clone().oneshot(request).await.expect("an answer");
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (status, String::from_utf8_lossy(&bytes).into_owned(), headers)
}

/// The addresses of this house that a page links to, without their anchors.
fn links(page: &str) -> BTreeSet<String> {
    ["href=\"", "src=\""]
        .iter()
        .flat_map(|mark| page.split(mark).skip(1))
        .filter_map(|rest| rest.split('"').next())
        .filter(|address| address.starts_with('/') && !address.starts_with("/api/"))
        .map(|address| address.split('#').next().unwrap_or_default().replace("&amp;", "&"))
        .collect()
}

/// So many answers of each question are looked at.
const ANSWERS: usize = 3;

#[test]
fn unsound_markup_is_found() {
    let sound = "<!DOCTYPE html><head><meta name=\"description\" content=\"All of it\"></head>\
        <figure><svg class=\"a b\"></svg><p>x</p><figcaption>y</figcaption></figure>\
        <button type=\"button\">z</button><select required><option value=\"\"></option></select>";
    assert_eq!(markup::faults_of_page(sound), Vec::<String>::new());
    for (good, bad, fault) in [
        ("class=\"a b\"", "class=\"a\" class=\"b\"", "<svg> has two attributes class"),
        (" type=\"button\"", "", "a button without a type"),
        ("</figcaption>", "</figcaption><p>w</p>", "a caption in the middle of its figure"),
        ("<option value=\"\">", "<option value=\"one\">", "a choice that must be made begins with an answer"),
        ("All of it", "", "described as [\"\"]"),
        ("<p>x</p>", "<p id=\"x\"></p><p id=\"x\"></p>", "two elements are called x"),
        ("</svg>", "</p>", "<svg> is closed by </p>"),
    ] {
        let found = markup::faults_of_page(&sound.replace(good, bad));
        assert!(found.len() == 1 && found[0].starts_with(fault), "{bad}: {found:?}");
    }
}

#[tokio::test]
async fn every_link_leads_somewhere() {
    let house = house();
    for lang in ["fr", "en"] {
        let mut seen = BTreeSet::from(["/".to_owned()]);
        let mut open = VecDeque::from(["/".to_owned()]);
        let mut answers: BTreeMap<String, usize> = BTreeMap::new();
        while let Some(path) = open.pop_front() {
            let (status, page, headers) = get(&house, &path, lang).await;
            let moved = path.starts_with("/settings/") && status == StatusCode::SEE_OTHER;
            assert!(status == StatusCode::OK || moved, "{path} answers {status}");
            assert!(headers.contains_key("content-security-policy"), "{path}");
            if !headers.get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
                continue;
            }
            assert!(
                !page.contains(" style=\"") && !page.contains("<style") && !page.contains("onclick="),
                "{path}"
            );
            assert!(page.contains(&format!("<html lang=\"{lang}\"")), "{path}");
            assert_eq!(markup::faults_of_page(&page), Vec::<String>::new(), "{path}");
            for link in links(&page) {
                // Answers are many; a few of each question are enough, and settings lead back.
                let answer = link.split_once('?').filter(|(question, _)| question.starts_with("/umpire/"));
                let setting = link.starts_with("/settings/") && path != "/";
                let many = answer.is_some_and(|(question, _)| {
                    let met = answers.entry(question.to_owned()).or_default();
                    *met += usize::from(!seen.contains(&link));
                    *met > ANSWERS
                });
                if !many && !setting && seen.insert(link.clone()) {
                    open.push_back(link);
                }
            }
        }
        assert!(seen.len() > 1500, "only {} pages", seen.len());
    }
}

#[tokio::test]
async fn a_question_is_answered_without_scripts() {
    let house = house();
    let address = "/umpire/tabletop.fire?shooter.weapon=musket&shooter.factor=4&shooter.figures=12\
        &distance_cm=6&target.class=mass&dice=4";
    let (_, page, _) = get(&house, address, "en").await;
    assert!(page.contains("<dd>60</dd>") && page.contains("FE-5-16"));
    let (_, page, _) = get(&house, &address.replace("distance_cm=6", "distance_cm=-1"), "fr").await;
    assert!(page.contains("Refusé"));
}

#[tokio::test]
async fn the_front_page_is_light() {
    let house = house();
    let (_, page, _) = get(&house, "/", "fr").await;
    let mut bytes = page.len();
    for link in links(&page).iter().filter(|link| link.starts_with("/assets/")) {
        let (status, text, headers) = get(&house, link, "fr").await;
        assert_eq!(status, StatusCode::OK);
        assert!(headers["cache-control"].to_str().unwrap().contains("immutable"));
        bytes += text.len();
    }
    assert!(bytes < 200_000, "{bytes} bytes");
}

#[tokio::test]
async fn the_language_is_remembered_and_nobody_is_led_astray() {
    let house = house();
    let (status, _, headers) = get(&house, "/settings/lang/fr?to=/rules", "en").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(headers["location"], "/rules");
    assert!(headers["set-cookie"].to_str().unwrap().starts_with("glacis-lang=fr"));
    let (_, _, headers) = get(&house, "/settings/lang/fr?to=https://evil.example", "en").await;
    assert_eq!(headers["location"], "/");
    let (status, _, _) = get(&house, "/settings/lang/xx", "en").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}
