//! Shortening of the scripts and styles of pages: [`compact`].

/// Returns a script or style sheet without indentation, empty lines, and comments at the beginning
/// of lines.
///
/// Texts that span lines are not changed: a source with a line that may begin or end one, or with a
/// block comment that begins after code and spans lines, is returned as it is.
pub(crate) fn compact(source: &str) -> String {
    let mut compacted = String::with_capacity(source.len());
    let mut is_comment = false;
    for mut line in source.lines().map(str::trim_start) {
        loop {
            (is_comment, line) = match (is_comment, line.split_once("*/"), line.strip_prefix("/*"))
            {
                (true, Some((_, rest)), _) => (false, rest.trim_start()),
                (false, _, Some(rest)) => (true, rest),
                _ => break,
            };
        }
        if is_comment || line.is_empty() || line.starts_with("//") {
            continue;
        }
        let is_text_open = line.matches('`').count() % 2 == 1 || line.ends_with('\\');
        if is_text_open || line.rfind("/*") > line.rfind("*/") {
            return source.to_owned();
        }
        compacted.extend([line, "\n"]);
    }
    compacted
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn indentation_and_whole_line_comments_are_omitted() {
        let source = "// a\n/** b\n * c\n */\nif (d) {\n\n  e(); // f\n  /* g */ h('//');\n\t}\n";
        assert_eq!(compact(source), "if (d) {\ne(); // f\nh('//');\n}\n");
        assert_eq!(compact("/* `a`\n */ /*/ b\n*/ c\n/**/d\n"), "c\nd\n");
        assert_eq!(compact(".a {\n  b: c; }\n"), ".a {\nb: c; }\n");
        assert_eq!(compact("/* a"), "");
        assert_eq!(compact(""), "");
    }

    #[test]
    fn sources_with_texts_that_span_lines_are_kept() {
        let sources = ["// a\n b = `c\n  d`;\n", "// a\n b = 'c\\\n  d';\n", "  a /*\n // */ b\n"];
        for source in sources {
            assert_eq!(compact(source), source);
        }
    }
}
