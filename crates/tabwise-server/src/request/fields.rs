//! Fields of a table in a request that say how to read it, as the description of the API has them. They are the same in
//! JSON and in forms.

use super::TOTALS;
use tabwise::table::{Header, Orientation};
use utoipa::PartialSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};

/// Name and schema of each field.
pub(super) fn reading() -> [(&'static str, Schema); 6] {
    let choice = |about: &str| {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let name = ObjectBuilder::new().schema_type(Type::String);
        OneOfBuilder::new().description(Some(about)).item(number).item(name).build()
    };
    [
        ("select", text("CSS selector; only tables of a page that match it are counted.").into()),
        ("table", choice("Table of a page, by number from 0, or by its caption or heading; by default the largest.").into()),
        ("sheet", choice("Sheet of a workbook, by name or by number from 0.").into()),
        (
            "orientation",
            names(
                "Direction of the records: \"columns\" turns the table, \"auto\" turns one that is clearly on its side.",
                Orientation::ALL.iter().map(|one| one.name()),
                Orientation::default().name(),
            )
            .into(),
        ),
        (
            "header",
            names(
                "Place of the names of the columns; without names they are called \"column 1\", \"column 2\" and so on.",
                Header::ALL.iter().map(|one| one.name()),
                Header::default().name(),
            )
            .into(),
        ),
        ("totals", names("What becomes of last rows that add up others.", TOTALS.into_iter(), TOTALS[0]).into()),
    ]
}

/// Schema of a text.
pub(super) fn text(about: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).description(Some(about)).build()
}

/// Schema of one of some names.
fn names(about: &str, names: impl Iterator<Item = &'static str>, default: &str) -> Object {
    let text = ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).description(Some(about));
    text.enum_values(Some(names)).default(Some(default.into())).build()
}

/// The schema of a type that is an object.
pub(super) fn object<T: PartialSchema>() -> Object {
    match T::schema() {
        utoipa::openapi::RefOr::T(Schema::Object(object)) => object,
        _ => Object::default(),
    }
}
