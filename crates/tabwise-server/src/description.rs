//! The description of the API in the format of OpenAPI 3.1, generated from the handlers and from the types of requests and
//! responses. What such types cannot say is added here: that exactly one of some fields is given.

use crate::failure::FailureBody;
use crate::request::form::{self, AskForm, CorrectForm, ExecForm, TableForm};
use crate::request::json::{AskRequest, CorrectRequest};
use crate::request::table::JsonTable;
use std::collections::BTreeMap;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::schema::{AllOfBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr};
use utoipa::{IntoResponses, Modify, ToSchema};

/// What is true of all operations.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tabwise",
        description = "Answers questions about tables, with the formula in words and the cells it was read from.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(FailureBody)),
    modifiers(&Token),
    // None, or the token if the server wants one.
    security((), ("token" = [])),
)]
pub(crate) struct Api;

/// The token, which a server may want.
struct Token;

impl Modify for Token {
    fn modify(&self, openapi: &mut OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer);
        let scheme = scheme.description(Some("The secret of a server that was started with --token-file.")).build();
        openapi.components.get_or_insert_default().add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// Failures of every operation.
pub(crate) struct Refused;
/// Failures of an operation on something that has an id.
pub(crate) struct RefusedId;
/// Failures of an operation on a stored table, which a worker may have to read again.
pub(crate) struct RefusedTable;
/// Failures of an operation that takes a body.
pub(crate) struct RefusedBody;

impl IntoResponses for Refused {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        failures(&[
            (401, "The server wants its token, as \"authorization: Bearer TOKEN\""),
            (403, "The host name is not served, or the request comes from a page of another site"),
            (500, "A fault of the server itself; its log has the reason under the id"),
        ])
    }
}

impl IntoResponses for RefusedId {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let own = [(404, "There is nothing with this id (any more)")];
        failures(&own).into_iter().chain(Refused::responses()).collect()
    }
}

impl IntoResponses for RefusedTable {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let own = [
            (413, "The body, the table or the question is larger than a limit"),
            (422, "The table, the formula or the right answer cannot be used"),
            (503, "The server is busy; the header retry-after says when to try again"),
        ];
        failures(&own).into_iter().chain(RefusedId::responses()).collect()
    }
}

impl IntoResponses for RefusedBody {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let own = [
            (400, "The request cannot be understood"),
            (408, "The body took too long to arrive"),
            (415, "The body is neither JSON nor a form"),
        ];
        failures(&own).into_iter().chain(RefusedTable::responses()).collect()
    }
}

/// Responses with a failure for each of some statuses.
fn failures(statuses: &[(u16, &str)]) -> BTreeMap<String, RefOr<Response>> {
    let described = |(status, about): &(u16, &str)| {
        let body = ContentBuilder::new().schema(Some(Ref::from_schema_name(FailureBody::name()))).build();
        let response = ResponseBuilder::new().description(*about).content("application/json", body).build();
        (status.to_string(), response.into())
    };
    statuses.iter().map(described).collect()
}

/// The description of the API, as the handler that sends it gets it.
#[derive(Clone, Copy)]
pub(crate) struct Description(pub(crate) &'static str);

/// Adds to the description what types cannot say.
pub(crate) fn completed(mut described: OpenApi) -> OpenApi {
    let schemas = &mut described.components.get_or_insert_default().schemas;
    for (name, groups) in exclusive() {
        if let Some(RefOr::T(schema)) = schemas.get(&name).cloned() {
            let ones = groups.iter().map(|fields| exactly_one(fields));
            let whole = ones.fold(AllOfBuilder::new().item(schema), AllOfBuilder::item);
            schemas.insert(name, Schema::from(whole).into());
        }
    }
    described
}

/// Schemas that have exactly one field of each of some groups.
pub(crate) fn exclusive() -> [(String, Vec<Vec<&'static str>>); 7] {
    let (questions, right) = (vec!["question", "questions"], vec!["formula", "answer"]);
    let file = form::TABLE.to_vec();
    [
        (AskRequest::name().into(), vec![questions]),
        (CorrectRequest::name().into(), vec![right.clone()]),
        (JsonTable::name().into(), vec![JsonTable::sources().collect()]),
        (TableForm::name().into(), vec![file.clone()]),
        (AskForm::name().into(), vec![file.clone()]),
        (ExecForm::name().into(), vec![file.clone()]),
        (CorrectForm::name().into(), vec![file, right]),
    ]
}

/// Schema of what has exactly one of some fields.
fn exactly_one(fields: &[&str]) -> OneOfBuilder {
    let given = |field: &&str| ObjectBuilder::new().schema_type(SchemaType::AnyValue).required(*field);
    fields.iter().map(given).fold(OneOfBuilder::new(), OneOfBuilder::item)
}
