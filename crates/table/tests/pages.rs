//! Every page that can be reached from the front page is there, in both languages, and keeps the
//! policy: no style and no script but our own files.

use std::collections::{BTreeSet, VecDeque};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use tower::ServiceExt;

fn house() -> Router {
    let mut questions = tabletop::questions();
    questions.extend(campaign::questions());
    questions.extend(danzig::questions());
    table::router(table::Pages::new(questions).playing(vec!["danzig"]))
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

#[tokio::test]
async fn every_link_leads_somewhere() {
    let house = house();
    for lang in ["fr", "en"] {
        let mut seen = BTreeSet::from(["/".to_owned()]);
        let mut open = VecDeque::from(["/".to_owned()]);
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
            for link in links(&page) {
                // Answers are many; one of each question is enough, and settings lead back.
                let answer = link.starts_with("/umpire/") && link.contains('?');
                let setting = link.starts_with("/settings/") && path != "/";
                if !answer && !setting && seen.insert(link.clone()) {
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
