//! Tables of web pages: which there are, which one is meant, and its cells with merged ones unmerged.

use super::grid::{Cell, Grid};
use super::{Choice, Format, Limits, ReadSettings, Table, TableError, clean, page};
use ego_tree::NodeRef;
use scraper::{Html, Node, Selector};

/// Reads the chosen table of a page; the largest one when none is chosen.
pub(super) fn read(text: &str, settings: &ReadSettings) -> Result<Table, TableError> {
    let page = page::parse(text, &settings.limits)?;
    let tables = tables(&page, settings)?;
    let found = choose(&page, &tables, settings)?;
    let grid = grid(found, settings)?;
    clean::table(grid, settings)
}

/// One table of a page.
type Found<'a> = NodeRef<'a, Node>;

fn tables<'a>(page: &'a Html, settings: &ReadSettings) -> Result<Vec<Found<'a>>, TableError> {
    let selector = settings.select.as_deref().unwrap_or("table");
    let wrong = || TableError::Selector(selector.to_owned());
    let parsed = Selector::parse(selector).map_err(|_| wrong())?;
    Ok(page.select(&parsed).map(|element| *element).filter(|node| is(*node, "table")).collect())
}

fn choose<'a>(_page: &'a Html, tables: &[Found<'a>], settings: &ReadSettings) -> Result<Found<'a>, TableError> {
    let none = || TableError::NoTable { format: Format::Html, why: String::new() };
    match &settings.table {
        Some(Choice::Number(number)) => tables.get(*number).copied().ok_or_else(none),
        _ => tables.iter().copied().max_by_key(|table| table.descendants().filter(|node| is(*node, "td")).count()).ok_or_else(none),
    }
}

fn is(node: NodeRef<Node>, name: &str) -> bool {
    node.value().as_element().is_some_and(|element| element.name() == name)
}

/// The cells of a table where they stand: a cell that spans rows or columns stands in each of them.
fn grid(table: Found, settings: &ReadSettings) -> Result<Grid, TableError> {
    let mut grid = Grid::default();
    for section in sections(table) {
        for row in section {
            grid.start_row();
            for cell in row.children().filter(|node| is(*node, "td") || is(*node, "th")) {
                let text = page::text(cell, settings.repairs);
                let (columns, rows) = (span(cell, "colspan", 1000), span(cell, "rowspan", 65534));
                grid.push(Cell { text, is_header: is(cell, "th") }, columns, rows, &settings.limits)?;
            }
            grid.end_row(&settings.limits)?;
        }
    }
    Ok(grid)
}

fn span(cell: NodeRef<Node>, name: &str, most: usize) -> usize {
    let attribute = cell.value().as_element().and_then(|element| element.attr(name)).unwrap_or("");
    let digits: String = attribute.trim().chars().take_while(char::is_ascii_digit).take(9).collect();
    digits.parse().unwrap_or(1).clamp(1, most)
}

/// The rows of a table, by section.
fn sections<'a>(table: Found<'a>) -> Vec<Vec<NodeRef<'a, Node>>> {
    let mut rows = Vec::new();
    for child in table.children() {
        if is(child, "tr") {
            rows.push(child);
        } else if is(child, "thead") || is(child, "tbody") || is(child, "tfoot") {
            rows.extend(child.children().filter(|node| is(*node, "tr")));
        }
    }
    vec![rows]
}
