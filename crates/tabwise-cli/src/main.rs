//! The program `tabwise`: arguments in, answers out.

fn main() {}
