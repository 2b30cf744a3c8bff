//! Tests of the generator.
