//! Names of the pruners. The search applies them; each can be switched off by its name.

use crate::named::named;

named! {
    /// A reason to drop a formula as soon as it is built, because it means nothing or the same as a smaller formula.
    pub enum Pruner is "pruner" {
        /// a formula that means nothing in this table
        Undefined => "undefined",
        /// a formula that denotes nothing
        Empty => "empty",
        /// an aggregate or superlative of a single thing
        Singleton => "singleton",
        /// a relation right after its reverse, as in `R[City].City.Beijing`, or a difference of what is only read
        Reversal => "reversal",
        /// a condition or a difference by what was just looked up, as in `City.R[City].x` or `City.R[Country].x`
        Crossing => "crossing",
        /// a condition or a difference made of a count, a sum, a difference or a choice
        Computed => "computed",
        /// all rows merged with some
        Whole => "whole",
        /// the row after the row after
        DoubleNext => "double-next",
        /// the rows after several rows
        ManyNext => "many-next",
        /// more than one superlative
        Superlatives => "superlatives",
        /// a formula merged with itself
        SameMerge => "same-merge",
        /// a merge whose parts stand in the other order
        UnsortedMerge => "unsorted-merge",
        /// a union of texts that share no column
        MistypedMerge => "mistyped-merge",
        /// an answer that only repeats a value of the question
        Atomic => "atomic",
        /// an answer of too many values
        TooMany => "too-many",
        /// an answer of empty cells
        Blank => "blank",
        /// the count of a text in a column that has each text once
        CountedOnce => "counted-once",
        /// a choice among the values of some rows that goes by all rows, as in `argmax(R[City].Year.1900, R[λx[count(City.x)]])`
        Unscoped => "unscoped",
        /// the complement of a complement, or of what was picked
        DoubleNegation => "double-negation",
        /// a number of rows, a sum or a share of what a superlative picked, as in `count(argmax(Rows, Index))`
        Picked => "picked",
        /// other texts than one that the column does not have, as in `City.!=.Spain`
        Foreign => "foreign",
        /// a sum of percentages, a percentage of them, or of a column and itself
        OfShares => "of-shares",
    }
}
