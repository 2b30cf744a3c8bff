//! The description of the API (`/api/openapi.json`): its schemas are valid, operations answer as it says, and the server
//! takes the requests that it allows and no others.

mod support;

use jsonschema::Validator;
use serde_json::{Value, json};
use support::Server;
use support::http::Client;

fn description(client: &mut Client) -> Value {
    client.get("/api/openapi.json").json()
}

/// A validator for a schema of the description. Properties that it does not name are not allowed.
fn validator(schema: &Value, description: &Value) -> Validator {
    let whole = json!({ "allOf": [schema], "unevaluatedProperties": false, "components": description["components"] });
    jsonschema::draft202012::new(&whole).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn check(value: &Value, schema: &Value, description: &Value, at: &str) {
    let errors: Vec<String> = validator(schema, description)
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{at}: {errors:#?}");
}

/// Method, path and description of every operation.
fn operations(description: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = description["paths"].as_object().expect("there are paths");
    paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("a path has methods");
            methods.iter().map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
        })
        .collect()
}

#[test]
fn it_is_whole() {
    let server = Server::start(&[]);
    let description = description(&mut Client::new(server.address));
    assert!(description["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")));
    assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    for (name, schema) in description["components"]["schemas"].as_object().expect("there are schemas") {
        jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        validator(schema, &description);
    }
    let mut ids: Vec<&str> = Vec::new();
    for (method, path, operation) in operations(&description) {
        assert!(operation["summary"].is_string(), "{method} {path} has no summary");
        ids.push(operation["operationId"].as_str().expect("an operation has an id"));
        for (status, response) in operation["responses"].as_object().expect("there are responses") {
            assert!(response["description"].is_string(), "{method} {path} {status} has no description");
            let contents = response["content"].as_object().expect("a response has content");
            contents.values().for_each(|content| drop(validator(&content["schema"], &description)));
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "every operation has an id of its own");
}

#[test]
fn every_operation_gives_the_described_response() {
    let server = Server::start(&[]);
    let mut client = Client::new(server.address);
    let description = description(&mut client);
    let ask = json!({ "table": { "id": "olympics" }, "question": "how many games were in Paris?" });
    let answer = client.post("/api/ask", &ask).json();
    let link = answer["link"].as_str().unwrap().rsplit('/').next().unwrap();
    let right = json!({ "table": { "id": "olympics" }, "question": "who won?", "answer": ["nobody"] });
    let correction = client.post("/api/correct", &right).json()["correction"].as_str().unwrap().to_owned();
    for (method, path, operation) in operations(&description) {
        let id = match path {
            "/api/link/{id}" => link,
            "/api/correct/{id}" => &correction,
            _ => "olympics",
        };
        let path = path.replace("{id}", id);
        let response = match method {
            "get" => client.get(&path),
            "delete" => client.send("DELETE", &path, &[], b"").expect("a response"),
            _ => {
                let body = &operation["requestBody"]["content"]["application/json"];
                check(&body["example"], &body["schema"], &description, &path);
                client.post(&path, &body["example"])
            }
        };
        assert_eq!(response.status, 200, "{method} {path}: {}", response.text());
        // Not lines of JSON, nor the description itself, which may have any property.
        if let (schema @ Value::Object(_), false) =
            (&operation["responses"]["200"]["content"]["application/json"]["schema"], path.ends_with("openapi.json"))
        {
            check(&response.json(), schema, &description, &path);
        }
    }
}

#[test]
fn answers_of_every_kind_are_as_described() {
    let server = Server::start(&[]);
    let mut client = Client::new(server.address);
    let description = description(&mut client);
    let reply = json!({ "$ref": "#/components/schemas/Replied" });
    let table = json!({ "id": "olympics" });
    for asked in [
        json!({ "question": "how many games were in each country?" }),
        json!({ "question": "hello" }),
        json!({ "question": "which city was last?", "min_confidence": 1, "top": 20, "all": true }),
        json!({ "questions": ["which city was last?", "how many more nations took part in 2012 than in 1896?"] }),
    ] {
        let mut body = asked.clone();
        body["table"] = table.clone();
        let response = client.post("/api/ask", &body);
        assert_eq!(response.status, 200, "{}", response.text());
        check(&response.json(), &reply, &description, &asked.to_string());
    }
    let nothing = client.post("/api/exec", &json!({ "table": table, "formula": "max(R[Number].R[City].Rows)" })).json();
    check(&nothing, &json!({ "$ref": "#/components/schemas/Executed" }), &description, "a formula without a value");
    let failure = json!({ "$ref": "#/components/schemas/Failure" });
    for failed in [
        client.get("/api/table/none"),
        client.get("/api/table/olympics/rows?sort=99"),
        client.post("/api/exec", &json!({ "table": table, "formula": "R[Cty].Rows" })),
        client.post("/api/correct", &json!({ "table": table, "question": "who?", "formula": "R[Cty].Rows" })),
    ] {
        assert!(failed.status >= 400);
        check(&failed.json(), &failure, &description, &failed.text());
    }
}

#[test]
fn requests_are_taken_as_described() {
    let server = Server::start(&[]);
    let mut client = Client::new(server.address);
    let description = description(&mut client);
    let table = json!({ "csv": "City,Year\nAthens,1896\nParis,1900\n" });
    let question = "which city was last?";
    let bodies = [
        ("/api/ask", json!({ "table": table, "question": question })),
        ("/api/ask", json!({ "table": table, "questions": [question] })),
        ("/api/ask", json!({ "table": table, "question": question, "questions": [question] })),
        ("/api/ask", json!({ "table": table })),
        ("/api/ask", json!({ "question": question })),
        ("/api/ask", json!({ "table": table, "question": " " })),
        ("/api/ask", json!({ "table": table, "questions": [] })),
        ("/api/ask", json!({ "table": table, "questions": [""] })),
        ("/api/ask", json!({ "table": table, "question": question, "min_confidence": 2 })),
        ("/api/ask", json!({ "table": table, "question": question, "top": -1 })),
        ("/api/ask", json!({ "table": table, "question": question, "top": 0 })),
        ("/api/ask", json!({ "table": table, "question": question, "top": 20 })),
        ("/api/ask", json!({ "table": table, "question": question, "top": 21 })),
        ("/api/ask", json!({ "table": table, "question": question, "formula": "Rows" })),
        ("/api/ask", json!({ "table": { "csv": "a\n1", "html": "" }, "question": question })),
        ("/api/ask", json!({ "table": { "cvs": "a\n1" }, "question": question })),
        ("/api/ask", json!({ "table": { "csv": "" }, "question": question })),
        ("/api/ask", json!({ "table": { "rows": [] }, "question": question })),
        ("/api/ask", json!({ "table": { "csv": "City,Year\nRome,1960", "sheet": 0.5 }, "question": question })),
        ("/api/ask", json!({ "table": { "rows": [{ "City": "Rome" }], "header": "third" }, "question": question })),
        ("/api/ask", json!({ "table": { "rows": [{ "City": "Rome", "Year": 1960 }] }, "question": question })),
        ("/api/ask", json!({ "table": { "json": [["City"], ["Rome"]], "totals": "keep" }, "question": question })),
        ("/api/exec", json!({ "table": table, "formula": "R[City].Rows", "all": true })),
        ("/api/exec", json!({ "table": table })),
        ("/api/exec", json!({ "table": table, "formula": "R[City].Rows", "question": question })),
        ("/api/correct", json!({ "table": table, "question": question, "answer": ["Athens"] })),
        ("/api/correct", json!({ "table": table, "question": question, "answer": ["Athens"], "formula": "Rows" })),
        ("/api/correct", json!({ "table": table, "question": question, "answer": ["Athens"], "top": 21 })),
        ("/api/correct", json!({ "table": table, "question": question })),
        ("/api/table", json!({ "table": table })),
        ("/api/table", json!({ "table": table, "question": question })),
        ("/api/table", json!([])),
    ];
    for (path, body) in bodies {
        let schema = &description["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let is_allowed = validator(schema, &description).is_valid(&body);
        let response = client.post(path, &body);
        assert_eq!(is_allowed, response.status == 200, "{path} {body}: {} {}", response.status, response.text());
    }
}
