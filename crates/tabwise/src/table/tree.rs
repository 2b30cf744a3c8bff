//! [`parse`]: the tree of a web page, within the limits. Every token is looked at on its way from the tokenizer to the
//! tree, so that neither depth nor the number of nodes and attributes can pass a limit unseen.

use super::tags::OpenTags;
use super::{Allowance, TableError};
use ego_tree::NodeId;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use scraper::{Html, HtmlTreeSink};
use std::cell::{Cell, RefCell};

/// Number of bytes that are parsed between two looks at what the parser has told.
const STEP: usize = 1024;

/// Bytes that a node of the tree takes besides its text, and those of an attribute.
const NODE: usize = 256;
const ATTRIBUTE: usize = 128;

/// Parses a page or a piece of one.
pub(super) fn parse(text: &str, allowance: &Allowance) -> Result<Html, TableError> {
    allowance.check_page(text.len())?;
    allowance.take(text.len())?;
    let builder = TreeBuilder::new(HtmlTreeSink::new(Html::new_document()), TreeBuilderOpts::default());
    let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let watch = Watch {
        builder,
        allowance,
        nodes: Cell::new(0),
        depth: Cell::new(0),
        told: Cell::new(0),
        failed: RefCell::new(None),
    };
    let tokenizer = Tokenizer::new(watch, options);
    let input = BufferQueue::default();
    let mut tags = OpenTags::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (step, after) = rest.split_at(rest.floor_char_boundary(STEP));
        // Before the parser sees them, but by what it has told so far.
        allowance.step(tags.feed(step.as_bytes()))?;
        let told = tokenizer.sink.told.get();
        input.push_back(StrTendril::from(step));
        while !matches!(tokenizer.feed(&input), html5ever::TokenizerResult::Done) {}
        if tokenizer.sink.told.get() != told {
            tags.end();
        }
        tokenizer.sink.result()?;
        rest = after;
    }
    tokenizer.end();
    tokenizer.sink.result()?;
    Ok(tokenizer.sink.builder.sink.finish())
}

/// Passes tokens on to the builder of the tree until a limit is exceeded.
struct Watch<'a> {
    builder: TreeBuilder<NodeId, HtmlTreeSink>,
    allowance: &'a Allowance,
    /// Number of nodes when last looked at.
    nodes: Cell<usize>,
    /// Depth of the newest node.
    depth: Cell<usize>,
    /// Number of tokens, errors aside.
    told: Cell<usize>,
    failed: RefCell<Option<TableError>>,
}

impl Watch<'_> {
    /// Returns the first limit that was exceeded.
    fn result(&self) -> Result<(), TableError> {
        self.failed.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Takes what the builder will need for a token. It looks for open elements, which takes as long as they are many.
    fn before(&self, token: &Token) -> Result<(), TableError> {
        let Token::TagToken(tag) = token else { return Ok(()) };
        self.allowance.step(self.depth.get())?;
        self.allowance.take(tag.attrs.len() * ATTRIBUTE)
    }

    /// Checks the size and the depth of the tree. The newest node is the deepest that the token brought.
    fn after(&self) -> Result<(), TableError> {
        let page = self.builder.sink.0.borrow();
        let mut nodes = page.tree.nodes();
        let count = nodes.len();
        let fresh = count.saturating_sub(self.nodes.replace(count));
        if fresh == 0 {
            return Ok(());
        }
        self.allowance.check_nodes(count)?;
        self.allowance.take(fresh * NODE)?;
        let most = self.allowance.limits().depth;
        let Some(newest) = nodes.next_back() else { return Ok(()) };
        let depth = newest.ancestors().take(most + 1).count();
        // A comment at the end of a page is not as deep as the elements that are open.
        if newest.value().is_element() {
            self.depth.set(depth);
        }
        self.allowance.step(depth)?;
        self.allowance.check_depth(depth)
    }
}

impl TokenSink for Watch<'_> {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if matches!(token, Token::ParseError(_)) {
            return TokenSinkResult::Continue;
        }
        self.told.set(self.told.get() + 1);
        if self.failed.borrow().is_some() {
            return TokenSinkResult::Continue;
        }
        if let Err(error) = self.before(&token) {
            *self.failed.borrow_mut() = Some(error);
            return TokenSinkResult::Continue;
        }
        let result = self.builder.process_token(token, line);
        if let Err(error) = self.after() {
            *self.failed.borrow_mut() = Some(error);
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}
