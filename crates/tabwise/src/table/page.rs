//! Text of a web page's elements, as a reader of the page sees it: [`text`], and [`title`] for the short ones.

use super::{Repair, Repairs};
use ego_tree::NodeRef;
use ego_tree::iter::Edge;
use scraper::node::Element;
use scraper::{CaseSensitivity, Node};

/// Length in bytes of the longest title of a table: a caption or a heading.
pub(super) const LONGEST_TITLE: usize = 400;

/// Number of nodes that are searched for the text of a title.
const MOST_OF_TITLE: usize = 2_000;

/// Number of elements left out of a text.
#[derive(Default)]
pub(super) struct Left {
    /// Hidden elements.
    pub hidden: usize,
    /// Reference marks.
    pub references: usize,
}

/// Returns the visible text of an element. White space is collapsed, blocks and `<br>` break lines, empty lines are
/// dropped.
pub(super) fn text(root: NodeRef<Node>, repairs: Repairs, left: &mut Left) -> String {
    visible(root.traverse(), repairs, left, usize::MAX)
}

/// Returns the visible text of a caption or a heading in one line, cut if it is long.
pub(super) fn title(root: NodeRef<Node>, repairs: Repairs) -> String {
    let mut text = visible(root.traverse().take(MOST_OF_TITLE), repairs, &mut Left::default(), LONGEST_TITLE);
    if text.len() > LONGEST_TITLE {
        text.truncate(text.floor_char_boundary(LONGEST_TITLE));
        text.push('…');
    }
    // Wikipedia has a link "[edit]" in its headings.
    text.trim_end_matches("[edit]").trim().replace('\n', " ")
}

/// Collects the visible text of elements, up to the first word after `most` bytes.
fn visible<'a>(edges: impl Iterator<Item = Edge<'a, Node>>, repairs: Repairs, left: &mut Left, most: usize) -> String {
    let mut out = Lines { most, ..Lines::default() };
    // The element that is being skipped, with everything inside it.
    let mut skipped = None;
    for edge in edges {
        if out.text.len() > most {
            break;
        }
        match edge {
            Edge::Close(node) if skipped == Some(node) => skipped = None,
            _ if skipped.is_some() => {}
            Edge::Open(node) if is_left_out(node, repairs, left) => skipped = Some(node),
            Edge::Open(node) | Edge::Close(node) => match node.value() {
                Node::Text(text) if matches!(edge, Edge::Open(_)) => out.push(text),
                Node::Element(element) if breaks_line(element) => out.line_break = true,
                _ => {}
            },
        }
    }
    out.text
}

/// Lines of text with collapsed white space.
#[derive(Default)]
struct Lines {
    text: String,
    /// True if a space is due before the next word.
    space: bool,
    /// True if a line break is due before the next word.
    line_break: bool,
    /// Length in bytes after which nothing is added.
    most: usize,
}

impl Lines {
    fn push(&mut self, text: &str) {
        for (index, word) in text.split(char::is_whitespace).enumerate() {
            self.space |= index > 0;
            if self.text.len() > self.most {
                return;
            }
            if !word.is_empty() {
                self.before_word();
                self.text.push_str(word);
            }
        }
    }

    fn before_word(&mut self) {
        match (self.text.is_empty(), self.line_break, self.space) {
            (false, true, _) => self.text.push('\n'),
            (false, false, true) => self.text.push(' '),
            _ => {}
        }
        (self.space, self.line_break) = (false, false);
    }
}

fn breaks_line(element: &Element) -> bool {
    matches!(
        element.name(),
        "br" | "p"
            | "div"
            | "li"
            | "ul"
            | "ol"
            | "dl"
            | "dt"
            | "dd"
            | "table"
            | "tr"
            | "td"
            | "th"
            | "hr"
            | "blockquote"
            | "center"
            | "pre"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}

/// True if an element is not part of the text: never shown, or hidden, or a reference mark. Counts the last two.
fn is_left_out(node: NodeRef<Node>, repairs: Repairs, left: &mut Left) -> bool {
    let Some(element) = node.value().as_element() else { return false };
    if matches!(element.name(), "script" | "style" | "noscript" | "template" | "head" | "title") {
        return true;
    }
    let is_reference = element.name() == "sup" && has_class(element, "reference") && repairs.has(Repair::References);
    let is_hidden = is_hidden(element) && repairs.has(Repair::Hidden);
    left.references += usize::from(is_reference);
    left.hidden += usize::from(is_hidden && !is_reference);
    is_reference || is_hidden
}

/// True if a browser shows nothing of the element, or it is only a key for sorting.
pub(super) fn is_hidden(element: &Element) -> bool {
    is_absent(element) || has_class(element, "sortkey") || declares(element, "visibility", "hidden")
}

/// True if a browser lays out the page as if the element were not there.
pub(super) fn is_absent(element: &Element) -> bool {
    element.attr("hidden").is_some() || declares(element, "display", "none")
}

/// True if the element's style gives the property this value.
fn declares(element: &Element, property: &str, value: &str) -> bool {
    let is = |text: &str, word: &str| text.trim().eq_ignore_ascii_case(word);
    let declarations = element.attr("style").unwrap_or("").split(';');
    declarations
        .filter_map(|one| one.split_once(':'))
        .any(|(name, given)| is(name, property) && is(given.split('!').next().unwrap_or(""), value))
}

fn has_class(element: &Element, class: &str) -> bool {
    element.has_class(class, CaseSensitivity::AsciiCaseInsensitive)
}
