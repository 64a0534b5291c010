//! HTML pages. Each is a single self-contained file with light and dark colours.
//!
//! This file has the frame that comparisons and recordings share; `comparison.rs` has the page of a
//! comparison.

mod comparison;

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours and fonts, as custom properties with light and dark values.
const STYLE: &str = include_str!("style.css");

/// Returns a page. The scripts are placed at the end of the body. They must not contain `</script`.
pub(in crate::lab) fn page(title: &str, style: &str, body: &Markup, scripts: &[&str]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Without an icon, browsers request one and log an error.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body {
                (body)
                @for script in scripts { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

/// Returns a hidden element with data for a script, which reads it by its id.
pub(in crate::lab) fn data(
    id: &str,
    value: &impl serde::Serialize,
) -> Result<Markup, serde_json::Error> {
    // The data must not contain the end of the element or the start of a comment.
    let json = serde_json::to_string(value)?.replace('<', "\\u003c");
    Ok(html! { script id=(id) type="application/json" { (PreEscaped(json)) } })
}
