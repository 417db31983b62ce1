//! Reading the project's documents: their code blocks, links and headings.
//!
//! A block of code says in its info string what it is, and one of shell commands
//! what is to be done with it, for example `sh run` or `sh run exit=66`; [`Use`]
//! has them all. So no command can be there without a test knowing of it.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What a test does with a block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Use {
    /// `sh run [exit=N]`: commands, the last of which ends with that status.
    Run(i32),
    /// `sh norun`: commands that cannot be run here; the text around says why.
    Leave,
    /// `text output`: lines that the block before printed, in this order.
    Output,
    /// Not commands.
    Other,
    /// Commands, or who knows what, about which nothing is said.
    Unmarked,
}

/// A block of code.
#[derive(Debug)]
pub struct Block {
    /// Where it begins, counted from 1.
    pub line: usize,
    /// What to do with it.
    pub to_do: Use,
    /// Its text.
    pub text: String,
}

/// What a test wants to know of a document.
#[derive(Debug, Default)]
pub struct Document {
    /// Its blocks of code, in order.
    pub blocks: Vec<Block>,
    /// The targets of its links, with their lines.
    pub links: Vec<(usize, String)>,
    /// Its headings, as links name them.
    pub anchors: Vec<String>,
    /// Code within sentences and tables, with its lines.
    pub code: Vec<(usize, String)>,
}

impl Document {
    /// Reads Markdown.
    pub fn parse(text: &str) -> Document {
        let mut document = Document::default();
        let mut heading: Option<String> = None;
        let mut code: Option<(usize, Use, String)> = None;
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = 1 + text[..range.start].matches('\n').count();
            if let Event::Code(part) = &event {
                document.code.push((line, part.to_string()));
            }
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                    code = Some((line, Use::Unmarked, String::new()));
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    code = Some((line, to_do(&info), String::new()));
                }
                Event::End(TagEnd::CodeBlock) => {
                    if let Some((line, to_do, text)) = code.take() {
                        document.blocks.push(Block { line, to_do, text });
                    }
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    document.anchors.extend(heading.take().map(|h| anchor(&h)));
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push((line, dest_url.into_string()));
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                    if let Some((_, _, text)) = &mut code {
                        text.push_str(&part);
                    }
                }
                _ => {}
            }
        }
        document
    }
}

fn to_do(info: &str) -> Use {
    let words: Vec<_> = info.split_whitespace().collect();
    match words.as_slice() {
        ["sh", "run"] => Use::Run(0),
        ["sh", "run", status] => match status.strip_prefix("exit=").map(str::parse) {
            Some(Ok(status)) => Use::Run(status),
            _ => Use::Unmarked,
        },
        ["sh", "norun"] => Use::Leave,
        ["text", "output"] => Use::Output,
        [] | ["sh" | "console" | "bash" | "shell", ..] => Use::Unmarked,
        _ => Use::Other,
    }
}

/// The name by which a link finds a heading.
fn anchor(heading: &str) -> String {
    let kept = heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .collect::<String>();
    kept.replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_links_and_headings_are_found() {
        let text = "    make\n\n# A `title`, so\n\n[there](x.md#y)\n\n```sh run exit=66\n./a\n```\n\n```text output\nhello\n```\n\n```sh\nls\n```\n";
        let document = Document::parse(text);
        assert_eq!(document.anchors, ["a-title-so"]);
        assert_eq!(document.links, [(5, "x.md#y".to_owned())]);
        assert_eq!(document.code, [(3, "title".to_owned())]);
        let blocks: Vec<_> = document
            .blocks
            .iter()
            .map(|b| (b.line, &b.to_do, b.text.as_str()))
            .collect();
        assert_eq!(
            blocks,
            [
                (1, &Use::Unmarked, "make\n"),
                (7, &Use::Run(66), "./a\n"),
                (11, &Use::Output, "hello\n"),
                (15, &Use::Unmarked, "ls\n"),
            ]
        );
    }
}
