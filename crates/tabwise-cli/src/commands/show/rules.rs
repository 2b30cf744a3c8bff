//! `tabwise show rules`: the rules that candidates are built with, each with an example phrase.

use crate::asker::AskerArgs;
use crate::outcome::Outcome;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use tabwise::grammar::Rule;

/// Options of `show rules`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  tabwise show rules --group superlative
  tabwise show rules --knowledge my-knowledge --rules +position")]
pub(super) struct Args {
    /// Show only the rules of this group
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// Print a JSON array of rules
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    asker: AskerArgs,
}

/// A rule, for output.
#[derive(Serialize)]
struct RuleView<'a> {
    group: &'a str,
    name: &'a str,
    /// True if the rule is used only with a cue word, as a group with `?` is.
    needs_cue: bool,
    /// True if the group of the rule is switched on.
    used: bool,
    rule: &'a str,
    example: &'a str,
}

/// Prints the rules, group by group.
pub(super) fn run(args: Args, out: &mut impl Write) -> Result<Outcome> {
    let asker = args.asker.load()?;
    let wanted = |rule: &&Rule| args.group.as_ref().is_none_or(|group| *group == rule.group);
    let shown = asker.knowledge().grammar.rules().iter().filter(wanted).map(|rule| RuleView {
        group: &rule.group,
        name: &rule.name,
        needs_cue: rule.needs_cue,
        used: asker.settings().rules.contains(&rule.group),
        rule: rule.text.split_once(':').map_or("", |(_, rule)| rule.trim()),
        example: &rule.example,
    });
    let shown: Vec<RuleView> = shown.collect();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&shown)?)?;
        return Ok(Outcome::Done);
    }
    let longest = |of: fn(&RuleView) -> usize| shown.iter().map(of).max().unwrap_or(0);
    let (group, name, rule) =
        (longest(|s| s.group.len() + 1), longest(|s| s.name.len()), longest(|s| s.rule.chars().count()));
    for RuleView { group: g, name: n, needs_cue, used, rule: r, example } in &shown {
        let unused = if *used { "" } else { "  (not in use; --rules +NAME switches a group on)" };
        let g = if *needs_cue { format!("{g}?") } else { g.to_string() };
        writeln!(out, "{g:group$}  {n:name$}  {r:rule$}  {example}{unused}")?;
    }
    Ok(if shown.is_empty() { Outcome::NoAnswer } else { Outcome::Done })
}
