//! Web pages: [`parse`] builds the tree of a page within limits, [`text`] returns the text of an element as a reader of
//! the page sees it.

use super::{Limits, Repair, Repairs, TableError};
use ego_tree::NodeRef;
use ego_tree::iter::Edge;
use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use scraper::node::Element;
use scraper::{CaseSensitivity, Html, HtmlTreeSink, Node};

/// Number of bytes that are parsed between two checks of the size of the tree. It is small because a hostile page can
/// make the tree grow by the square of this number.
const STEP: usize = 1024;

/// Parses a page or a piece of one.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Html, TableError> {
    limits.check_page(text.len())?;
    let tokenizer = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let options = ParseOpts { tokenizer, ..ParseOpts::default() };
    let mut parser = parse_document(HtmlTreeSink::new(Html::new_document()), options);
    let mut rest = text;
    while !rest.is_empty() {
        let (step, after) = rest.split_at(rest.floor_char_boundary(STEP.max(4)));
        parser.process(StrTendril::from(step));
        check(&parser.tokenizer.sink.sink.0.borrow(), limits)?;
        rest = after;
    }
    let page = parser.finish();
    check(&page, limits).map(|()| page)
}

/// Checks the size and the depth of the tree. The depth is that of the newest node, which is among the deepest, because
/// a tree is built downwards.
fn check(page: &Html, limits: &Limits) -> Result<(), TableError> {
    let mut nodes = page.tree.nodes();
    limits.check_nodes(nodes.len())?;
    let depth = nodes.next_back().map_or(0, |newest| newest.ancestors().take(limits.depth + 1).count());
    limits.check_depth(depth)
}

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
    let mut out = Lines::default();
    // The element that is being skipped, with everything inside it.
    let mut skipped = None;
    for edge in root.traverse() {
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
}

impl Lines {
    fn push(&mut self, text: &str) {
        for (index, word) in text.split(char::is_whitespace).enumerate() {
            self.space |= index > 0;
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
