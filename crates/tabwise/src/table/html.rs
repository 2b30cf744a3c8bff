//! Tables of web pages: finds them, chooses one, and reads its cells into a grid.

use super::clean::count;
use super::grid::{Cell, Grid};
use super::page::{self, Left};
use super::{Allowance, Choice, Format, Listed, ReadSettings, Repair, Table, TableError, clean, tree};
use ego_tree::iter::Edge;
use ego_tree::{NodeId, NodeRef};
use rustc_hash::{FxHashMap, FxHashSet};
use scraper::{Html, Node, Selector};
use std::rc::Rc;

/// Reads the chosen table of a page, or the largest data table if none is chosen.
pub(super) fn read(text: &str, settings: &ReadSettings, allowance: &Allowance) -> Result<Table, TableError> {
    let page = tree::parse(text, allowance)?;
    let tables = tables(&page, settings, allowance)?;
    let found = choose(&tables, settings)?;
    let mut left = Left::default();
    let grid = grid(found.node, settings, &mut left, allowance)?;
    let mut table = clean::table(&grid, Format::Html, settings, allowance)?;
    note(&mut table, &grid, &left);
    Ok(table.titled(found.title()))
}

/// Lists the tables of a page.
pub(super) fn list(text: &str, settings: &ReadSettings, allowance: &Allowance) -> Result<Vec<Listed>, TableError> {
    let page = tree::parse(text, allowance)?;
    let found = tables(&page, settings, allowance)?;
    allowance.take(found.iter().map(|found| size_of::<Listed>() + found.title().len()).sum())?;
    Ok(found.iter().enumerate().map(|(number, table)| table.listed(number)).collect())
}

/// One table of a page.
struct Found<'a> {
    node: NodeRef<'a, Node>,
    caption: String,
    /// Last heading before the table; tables share it.
    heading: Rc<str>,
    rows: usize,
    columns: usize,
    /// True if it contains a larger table.
    is_layout: bool,
}

impl Found<'_> {
    /// Caption or else heading; may be empty.
    fn title(&self) -> &str {
        if self.caption.is_empty() { &self.heading } else { &self.caption }
    }

    fn listed(&self, number: usize) -> Listed {
        let class = self.node.value().as_element().and_then(|element| element.attr("class"));
        Listed {
            number,
            class: class.unwrap_or("").to_owned(),
            title: self.title().to_owned(),
            rows: self.rows,
            columns: self.columns,
        }
    }

    /// Rank for the choice: data tables above layout tables, then larger ones above smaller ones.
    fn rank(&self) -> (bool, usize) {
        (!self.is_layout && self.rows > 1 && self.columns > 1, self.size())
    }

    fn size(&self) -> usize {
        self.rows.saturating_mul(self.columns)
    }
}

/// Finds the tables that match the selector, in the order of the page.
fn tables<'a>(page: &'a Html, settings: &ReadSettings, allowance: &Allowance) -> Result<Vec<Found<'a>>, TableError> {
    let selected = settings.select.as_deref().map(|select| selected(page, select, allowance)).transpose()?;
    let is_selected = |node: NodeRef<Node>| selected.as_ref().is_none_or(|nodes| nodes.contains(&node.id()));
    // The text of a heading is collected once, and only if a table follows.
    let (mut heading, mut newer): (Rc<str>, Option<NodeRef<Node>>) = (Rc::from(""), None);
    let mut found = Vec::new();
    for edge in page.tree.root().traverse() {
        let Edge::Open(node) = edge else { continue };
        let Some(element) = node.value().as_element() else { continue };
        if matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6") {
            newer = Some(node);
        } else if is(node, "table") && is_selected(node) {
            if let Some(newer) = newer.take() {
                heading = page::title(newer, settings.repairs).into();
            }
            let table = describe(node, &heading, settings);
            allowance.take(size_of::<Found>() + table.caption.capacity())?;
            found.push(table);
        }
    }
    mark_layout(&mut found, allowance)?;
    if found.is_empty() {
        let why =
            settings.select.as_ref().map_or(String::new(), |select| format!(" that matches {}", clean::quote(select)));
        return Err(TableError::NoTable { format: Format::Html, why });
    }
    Ok(found)
}

/// Length in bytes of the longest selector.
const LONGEST_SELECTOR: usize = 1_000;

/// Finds the elements that match a selector. Its steps are taken before it starts: each of its parts looks at every
/// element, and some look at the others from each.
fn selected(page: &Html, select: &str, allowance: &Allowance) -> Result<FxHashSet<NodeId>, TableError> {
    if select.len() > LONGEST_SELECTOR {
        return Err(TableError::LongSelector { bytes: select.len(), most: LONGEST_SELECTOR });
    }
    let selector = Selector::parse(select).map_err(|_| TableError::Selector(clean::quote(select)))?;
    let count = page.tree.nodes().len();
    let parts = 1 + select.matches([',', ' ', '>', '+', ':', '.', '[']).count();
    let wide = select.matches('~').count() + select.to_ascii_lowercase().matches(":has").count();
    allowance.step(count.saturating_mul(4 * parts).saturating_add(count.saturating_mul(count).saturating_mul(wide)))?;
    allowance.take(count.saturating_mul(2 * size_of::<NodeId>()))?;
    Ok(page.select(&selector).map(|element| element.id()).collect())
}

/// Marks layout tables: those that contain a larger table.
fn mark_layout(tables: &mut [Found], allowance: &Allowance) -> Result<(), TableError> {
    allowance.step(tables.len().saturating_mul(allowance.limits().depth / 8))?;
    let at: FxHashMap<NodeId, usize> = tables.iter().enumerate().map(|(at, table)| (table.node.id(), at)).collect();
    for inner in 0..tables.len() {
        let outer = tables[inner].node.ancestors().find_map(|node| at.get(&node.id()).copied());
        if let Some(outer) = outer.filter(|&outer| tables[outer].size() < tables[inner].size()) {
            tables[outer].is_layout = true;
        }
    }
    Ok(())
}

fn describe<'a>(node: NodeRef<'a, Node>, heading: &Rc<str>, settings: &ReadSettings) -> Found<'a> {
    let caption = node.children().find(|child| is(*child, "caption"));
    let columns = |row: NodeRef<Node>| cells(row, settings).map(|cell| span(cell, "colspan", 1000)).sum();
    let mut found = Found {
        node,
        caption: caption.map(|caption| page::title(caption, settings.repairs)).unwrap_or_default(),
        heading: heading.clone(),
        rows: 0,
        columns: 0,
        is_layout: false,
    };
    for row in rows(node, settings) {
        found.rows += 1;
        found.columns = found.columns.max(columns(row));
    }
    found
}

fn choose<'a, 'b>(tables: &'b [Found<'a>], settings: &ReadSettings) -> Result<&'b Found<'a>, TableError> {
    match settings.table.as_ref().or(settings.sheet.as_ref()) {
        // `max_by_key` returns the last maximum, so this is the first of the largest tables.
        None => Ok(tables.iter().rev().max_by_key(|table| table.rank()).expect("there is a table")),
        Some(choice) => {
            let captions = tables.iter().map(|table| &*table.caption).collect();
            let headings = tables.iter().map(|table| &*table.heading).collect();
            let found = choice.among(&[captions, headings]);
            found.map(|at| &tables[at]).ok_or_else(|| not_found(tables, choice.clone()))
        }
    }
}

fn not_found(tables: &[Found], choice: Choice) -> TableError {
    let named = tables.iter().map(Found::title).filter(|title| !title.is_empty()).take(5).map(clean::quote);
    let named: Vec<String> = named.collect();
    let names = if named.is_empty() { String::new() } else { format!(", among them {}", named.join(", ")) };
    TableError::NotFound {
        what: "table",
        choice,
        there: format!("{}, numbered from 0{names}", clean::there_are(tables.len())),
    }
}

/// Puts the cells of a table on a grid.
fn grid(
    table: NodeRef<Node>,
    settings: &ReadSettings,
    left: &mut Left,
    allowance: &Allowance,
) -> Result<Grid, TableError> {
    let mut grid = Grid::default();
    for row in rows(table, settings) {
        let cells = cells(row, settings).map(|cell| Cell {
            text: page::text(cell, settings.repairs, left),
            is_header: is(cell, "th") || row.parent().is_some_and(|section| is(section, "thead")),
            columns: span(cell, "colspan", 1000),
            rows: span(cell, "rowspan", 65534),
        });
        grid.push_row(cells, allowance)?;
    }
    Ok(grid)
}

/// Returns the value of `colspan` or `rowspan`, limited to the maximum of the HTML standard.
fn span(cell: NodeRef<Node>, name: &str, most: usize) -> usize {
    let attribute = cell.value().as_element().and_then(|element| element.attr(name)).unwrap_or("");
    let digits: String = attribute.trim().chars().take_while(char::is_ascii_digit).take(9).collect();
    match digits.parse() {
        // A cell whose `rowspan` is 0 reaches to the end of the table.
        Ok(0) if name == "rowspan" => most,
        number => number.unwrap_or(1).clamp(1, most),
    }
}

/// Returns the rows of a table, but not those of tables inside it.
fn rows<'a>(table: NodeRef<'a, Node>, settings: &'a ReadSettings) -> impl Iterator<Item = NodeRef<'a, Node>> {
    let is_section = |node: NodeRef<Node>| is(node, "thead") || is(node, "tbody") || is(node, "tfoot");
    let in_section = move |node: NodeRef<'a, Node>| node.children().filter(move |_| is_section(node));
    let all = table.children().flat_map(move |child| std::iter::once(child).chain(in_section(child)));
    all.filter(|node| is(*node, "tr") && is_shown(*node, settings))
}

fn cells<'a>(row: NodeRef<'a, Node>, settings: &ReadSettings) -> impl Iterator<Item = NodeRef<'a, Node>> {
    row.children().filter(|node| (is(*node, "td") || is(*node, "th")) && is_shown(*node, settings))
}

fn is_shown(node: NodeRef<Node>, settings: &ReadSettings) -> bool {
    !settings.repairs.has(Repair::Hidden) || !node.value().as_element().is_some_and(page::is_absent)
}

fn is(node: NodeRef<Node>, name: &str) -> bool {
    node.value().as_element().is_some_and(|element| element.name() == name)
}

fn note(table: &mut Table, grid: &Grid, left: &Left) {
    if grid.merged_count() > 0 {
        let merged = count(grid.merged_count(), "merged cell", "merged cells");
        table.note(format!("unmerged {merged} and repeated the text"));
    }
    if left.hidden > 0 {
        table.note(format!("left out {}", count(left.hidden, "hidden element", "hidden elements")));
    }
    if left.references > 0 {
        table.note(format!("left out {}", count(left.references, "reference mark", "reference marks")));
    }
}
