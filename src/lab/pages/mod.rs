//! What the pages have in common: one file each, that needs nothing from elsewhere, light and dark.

mod comparison;

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Colours and type, as custom properties with a light and a dark value.
const STYLE: &str = include_str!("style.css");

/// A page of this title. The scripts come last, when all of the body is there; none of them may
/// contain `</script`.
pub(in crate::lab) fn page(title: &str, style: &str, body: &Markup, scripts: &[&str]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // Browsers ask for one otherwise, and complain that there is none.
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

/// Data for a script, as an element that is not shown. The script reads it by its id.
pub(in crate::lab) fn data(
    id: &str,
    value: &impl serde::Serialize,
) -> Result<Markup, serde_json::Error> {
    // No text within may end the element, or begin a comment.
    let json = serde_json::to_string(value)?.replace('<', "\\u003c");
    Ok(html! { script id=(id) type="application/json" { (PreEscaped(json)) } })
}
