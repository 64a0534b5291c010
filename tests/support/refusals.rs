//! Texts that readers refuse, with the messages of the errors, as files that a reader can compare.

/// Returns the message of the error of a text, or `None` if the text is accepted.
pub type Reader = fn(&str) -> Option<String>;

/// Returns the message of the error of parsing a text.
pub fn message<T: std::str::FromStr<Err: ToString>>(text: &str) -> Option<String> {
    text.parse::<T>().err().map(|error| error.to_string())
}

/// Returns the file with the messages of these readers in place of its own. It has a section for
/// each reader, in this order: a line `# NAME`, then texts as string literals, each followed by an
/// indented line with the message.
pub fn with_messages(file: &str, readers: &[(&str, Reader)]) -> String {
    let mut all = String::new();
    let file = format!("\n{file}");
    for &(name, read) in readers {
        all += &format!("# {name}\n");
        let mut sections = file.split("\n# ");
        let section = sections.find_map(|part| part.strip_prefix(name)?.strip_prefix('\n'));
        let mut literals =
            section.unwrap_or_default().lines().filter(|it| it.starts_with('"')).peekable();
        assert!(literals.peek().is_some(), "no texts for {name}");
        for literal in literals {
            let message = read(&unescaped(literal)).unwrap_or_else(|| panic!("read: {literal}"));
            all += &format!("{literal}\n    {message}\n");
        }
    }
    all
}

/// Returns the string of a literal.
fn unescaped(literal: &str) -> String {
    let mut rest = literal[1..literal.len() - 1].chars();
    let mut all = String::new();
    while let Some(char) = rest.next() {
        let decoded = match char {
            '\\' => match rest.next() {
                Some('n') => Some('\n'),
                Some('r') => Some('\r'),
                Some('t') => Some('\t'),
                Some('u') => {
                    let code: String = rest.by_ref().skip(1).take_while(|&it| it != '}').collect();
                    u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)
                }
                escaped => escaped.filter(|it| matches!(it, '\\' | '"')),
            },
            char => Some(char),
        };
        all.push(decoded.unwrap_or_else(|| panic!("unknown escape: {literal}")));
    }
    all
}

/// Returns each expression, with the message of its error on the next line.
#[allow(unused_macros, reason = "each test program uses its part")]
macro_rules! messages {
    ($($refused:expr),* $(,)?) => {
        [$(format!(
            "{}\n    {}\n",
            stringify!($refused),
            $refused.err().expect(stringify!($refused)),
        )),*]
        .concat()
    };
}
#[allow(unused_imports, reason = "each test program uses its part")]
pub(crate) use messages;
