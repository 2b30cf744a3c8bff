//! [`OpenTags`]: the number of attributes of a tag that has not ended yet. The parser of pages compares every attribute
//! with all before it in its tag, and tells of a tag only when it ends, so a page that is one tag has to be found out
//! from its text. What looks like a tag may be a part of a comment or a script: the parser tells of their pieces, and
//! then the tag is dropped.

/// Tags that may be open, by the state of their text; of two in the same state the one with more attributes.
#[derive(Default)]
pub(super) struct OpenTags(Vec<Tag>);

#[derive(Clone, Copy)]
struct Tag {
    state: State,
    attributes: usize,
    /// True if it begins in the bytes that were fed last.
    is_new: bool,
}

/// States of the text of a tag, as the HTML standard has them.
#[derive(Clone, Copy, PartialEq)]
enum State {
    TagOpen,
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    AfterQuoted,
}

impl OpenTags {
    /// Goes on with the next bytes of the page. Returns the steps that the parser takes to compare the attributes in
    /// them with those before.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> usize {
        let before = self.most();
        self.0.iter_mut().for_each(|tag| tag.is_new = false);
        let mut at = 0;
        while at < bytes.len() {
            if self.0.is_empty() {
                match memchr::memchr(b'<', &bytes[at..]) {
                    None => break,
                    Some(next) => at += next,
                }
            }
            self.0.retain_mut(|tag| tag.step(bytes[at]));
            if bytes[at] == b'<' {
                let name = if bytes.get(at + 1) == Some(&b'/') { at + 2 } else { at + 1 };
                // At the end of the bytes a tag may follow as well as not.
                if bytes.get(name).is_none_or(u8::is_ascii_alphabetic) {
                    self.0.push(Tag { state: State::TagOpen, attributes: 0, is_new: true });
                }
            }
            self.merge();
            at += 1;
        }
        let after = self.most();
        after.saturating_sub(before).saturating_mul(after)
    }

    /// Drops the tags that began before the last bytes: the parser told of what they were.
    pub(super) fn end(&mut self) {
        self.0.retain(|tag| tag.is_new);
    }

    fn most(&self) -> usize {
        self.0.iter().map(|tag| tag.attributes).max().unwrap_or(0)
    }

    /// Keeps one tag of each state.
    fn merge(&mut self) {
        for at in (1..self.0.len()).rev() {
            if let Some(same) = self.0[..at].iter().position(|tag| tag.state == self.0[at].state) {
                self.0[same].attributes = self.0[same].attributes.max(self.0[at].attributes);
                self.0[same].is_new |= self.0[at].is_new;
                self.0.remove(at);
            }
        }
    }
}

impl Tag {
    /// Takes the next byte; false if it ends the tag.
    fn step(&mut self, byte: u8) -> bool {
        use State::{AfterName, AfterQuoted, BeforeName, BeforeValue, Name, Quoted, TagName, TagOpen, Unquoted};
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c);
        let next = match (self.state, byte) {
            (Quoted(quote), _) if byte == quote => AfterQuoted,
            (Quoted(quote), _) => Quoted(quote),
            (_, b'>') => return false,
            (BeforeValue, b'"' | b'\'') => Quoted(byte),
            (BeforeValue, _) if is_space => BeforeValue,
            (BeforeValue, _) => Unquoted,
            (Unquoted, _) if !is_space => Unquoted,
            (Name | AfterName, b'=') => BeforeValue,
            (Name, _) if is_space => AfterName,
            (AfterName, _) if is_space => AfterName,
            (TagOpen, _) => TagName,
            (_, b'/') => BeforeName,
            (_, _) if is_space => BeforeName,
            (TagName, _) => TagName,
            (Name, _) => Name,
            (BeforeName | AfterName | AfterQuoted | Unquoted, _) => {
                self.attributes += 1;
                Name
            }
        };
        self.state = next;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(text: &str) -> usize {
        let mut tags = OpenTags::default();
        tags.feed(text.as_bytes());
        tags.most()
    }

    #[test]
    fn a_tag_is_dropped_when_the_parser_tells_of_it() {
        let mut tags = OpenTags::default();
        tags.feed(b"<p>text</p><a b c ");
        tags.end();
        assert_eq!(tags.feed(b"d e f "), 15, "three more, compared with five");
        tags.feed(b"> text");
        tags.end();
        assert_eq!(tags.most(), 0);
    }

    #[test]
    fn attributes_of_a_tag_are_counted_until_it_ends() {
        for (text, count) in [
            ("<a b c=d e = \"f g > h\" i='>'j/k ", 6),
            ("</a b c", 2),
            ("<a b c>", 0),
            ("text < b c d", 0),
            ("<a <b c<d ", 2),
            // Inside a comment the first quote is text; what looks like a tag hides nothing.
            ("<!-- <a b=\" --><c d=\">\" e f g h ", 5),
        ] {
            assert_eq!(attributes(text), count, "{text}");
        }
    }
}
