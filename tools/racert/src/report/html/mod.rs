//! One page that holds everything: findings, style, script. No network.
//!
//! [`data`] packs the findings, `page.html` is the frame, and each script is
//! one subject: `store.js` unpacks and filters, `list.js` shows only the rows
//! in sight, `source.js` colours code, `events.js` finds out
//! what a drawing shows and `timeline.js` draws it, `detail.js` shows
//! one finding, `page.js` ties keys, filters and printing together.

mod data;

use super::merge::Group;
use super::paths::Root;
use super::text;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 7] = [
    include_str!("store.js"),
    include_str!("list.js"),
    include_str!("source.js"),
    include_str!("events.js"),
    include_str!("timeline.js"),
    include_str!("detail.js"),
    include_str!("page.js"),
];

/// The page.
pub(crate) fn render(groups: &[Group], root: &Root) -> String {
    let data = data::pack(groups, root);
    let parts = [
        ("COUNT", text::count(groups)),
        ("STYLE", STYLE.to_owned()),
        ("SCRIPT", SCRIPTS.concat()),
        ("DATA", data),
    ];
    filled(FRAME, &parts)
}

/// `frame` with each `{{NAME}}` replaced; what is put in is not looked at.
fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("names end");
        let part = parts.iter().find(|(key, _)| *key == name);
        out.push_str(before);
        out.push_str(&part.expect("every name has a part").1);
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::super::merge;
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn the_page_needs_nothing_else() {
        let mut finding = sample("a");
        finding.message = "</script><!-- {{DATA}} \u{2028}".into();
        let page = render(&merge::groups(vec![finding]), &Root::new("/src".into()));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<!-- {{"));
        // Names that nobody fetches.
        let page = page
            .replace("http://www.w3.org/2000/svg", "")
            .replace("url(#head", "");
        let links = ["src=", "href=", "url(", "@import", "http:", "https:"];
        for link in links {
            assert!(!page.contains(link), "{link}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}
