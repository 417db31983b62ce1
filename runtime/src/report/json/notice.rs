//! Findings that are one sentence and one stack, as one line of JSON.

use super::super::fingerprint;
use super::super::frames::Line;
use super::super::notice::Notice;
use super::record::{Context, Record};
use super::writer::Writer;
use crate::finding::ThreadInfo;
use crate::options::Options;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The record of a finding that is one sentence and one stack; with where each
/// of its threads was created.
pub(in super::super) fn notice(
    context: &Context<'_>,
    notice: &Notice<'_>,
    lines: &[Line],
    (threads, creations): (&[ThreadInfo], &[Vec<Line>]),
    options: &Options,
) -> String {
    let record = Record { options };
    Writer::text(|json| {
        json.object(|json| {
            context.write(json, "finding");
            json.key("kind").string(notice.id);
            json.key("certainty").string("proven");
            json.key("title").string(notice.title);
            let fingerprint = fingerprint::of_notice(notice.id, lines);
            json.key("fingerprint").string(&fingerprint);
            let message = notice.said.trim_end_matches(":").trim_end_matches(" at");
            json.key("message").string(&format!("{message}."));
            if let Some(suggestion) = notice.suggestion {
                json.key("suggestion").string(suggestion);
            }
            json.key("accesses").array(|json| {
                json.object(|json| {
                    json.key("operation").string("call");
                    json.key("message").string(notice.said);
                    json.key("address").hex(0);
                    json.key("size").number(0);
                    json.key("thread").number(notice.thread.into());
                    record.stack(json.key("stack"), lines, &notice.stack);
                    json.key("locks").array(|_| ());
                });
            });
            json.key("place").object(|json| {
                json.key("kind").string("none");
                json.key("address").hex(0);
            });
            json.key("threads").array(|json| {
                for (thread, creation) in threads.iter().zip(creations) {
                    record.thread(json, thread, creation);
                }
            });
            json.key("locks").array(|_| ());
        });
    })
}
