//! The text of a [`Notice`].

use super::super::color::Colors;
use super::super::frames::Line;
use super::super::notice::Notice;
use super::{Page, summary};
use crate::options::Options;
use crate::os;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The whole of it.
pub(in crate::report) fn render(
    notice: &Notice<'_>,
    lines: &[Line],
    options: &Options,
    colors: &Colors,
) -> String {
    let mut page = Page {
        out: String::new(),
        options,
        colors,
    };
    let title = notice.title;
    let pid = os::getpid();
    page.line(
        colors.warning,
        &format!("WARNING: racert: {title} (pid={pid})"),
    );
    page.heading(colors.access, notice.said);
    page.stack(lines, &notice.stack, None);
    if let Some(suggestion) = notice.suggestion {
        page.paragraph(&format!("Suggestion: {suggestion}."));
    }
    if options.print_summary {
        let culprit = summary(&[lines.to_vec(), Vec::new()], options);
        page.line(
            colors.summary,
            &format!("SUMMARY: racert: {title}{culprit}"),
        );
    }
    page.out.push('\n');
    page.out
}
