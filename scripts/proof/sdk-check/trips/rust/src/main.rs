//! The short trip with openapi-generator: one module per tag, one function per operation.
use collaborators::apis::collaborators_api::{create_collaborator, list_collaborators, CreateCollaboratorError};
use collaborators::apis::configuration::Configuration;
use collaborators::apis::documents_api::upload_document;
use collaborators::apis::Error;
use collaborators::models::{CollaboratorCreate, DocumentType};

fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

fn person(number: u8) -> CollaboratorCreate {
    let run_id = setting("RUN_ID");
    CollaboratorCreate::new(
        format!("Traveller {number} {run_id}"),
        format!("traveller-{number}-{run_id}@verdelog.example"),
        "Driver".into(),
        "Fleet".into(),
    )
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let configuration = Configuration {
        base_path: setting("BASE_URL"),
        oauth_access_token: Some(setting("ACCESS_TOKEN")),
        ..Configuration::new()
    };
    let company = setting("COMPANY_ID");
    let run_id = setting("RUN_ID");

    let mut added = Vec::new();
    for number in 1..=3 {
        added.push(create_collaborator(&configuration, &company, person(number), None, None).await.expect("a collaborator"));
    }
    println!("created: {} collaborators, {}", added.len(), added[0].status);

    let (mut pages, mut listed, mut cursor) = (0, Vec::new(), None::<String>);
    loop {
        let page = list_collaborators(
            &configuration, &company, None, None, None, Some(2), cursor.as_deref(), None, None, None, None, None,
            None, None, None, None, None, Some(&run_id), None, None, None, None, None, None,
        )
        .await
        .expect("a page");
        listed.extend(page.data.into_iter().map(|item| item.id));
        pages += 1;
        cursor = page.pagination.expect("a page by cursor").next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(listed, added.iter().map(|one| one.id.clone()).collect::<Vec<_>>());
    println!("listed: {} collaborators on {pages} pages", listed.len());

    let folder = std::env::temp_dir().join(&run_id);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("contract.pdf");
    let contract = "%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n";
    std::fs::write(&path, contract).expect("a file");
    let document = upload_document(&configuration, &company, &added[0].id, path, DocumentType::Contract, None, None, None)
        .await
        .expect("a document");
    std::fs::remove_dir_all(&folder).expect("nothing left");
    println!("uploaded: {}, {}, {} bytes", document.name, document.r#type, document.size);

    match create_collaborator(&configuration, &company, person(1), None, None).await {
        Err(Error::ResponseError(rejected)) => match rejected.entity {
            Some(CreateCollaboratorError::Status400(invalid)) => {
                let details = invalid.details.expect("details");
                println!("rejected: {}, email {}", invalid.error, details["email"][0].code);
            }
            other => panic!("another error: {other:?}"),
        },
        other => panic!("not rejected: {other:?}"),
    }
}
