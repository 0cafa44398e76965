// The short trip with openapi-generator: one service per tag, one builder per request.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	api "example.com/trip/collaborators"
)

var runID = os.Getenv("RUN_ID")

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("ACCESS_TOKEN"))
	client := api.NewAPIClient(configuration)
	ctx := context.Background()
	company := os.Getenv("COMPANY_ID")

	var added []string
	var status api.CollaboratorStatus
	for number := 1; number <= 3; number++ {
		created, _, err := client.CollaboratorsAPI.CreateCollaborator(ctx).
			XCompanyId(company).CollaboratorCreate(person(number)).Execute()
		check(err)
		added, status = append(added, created.Id), created.Status
	}
	fmt.Printf("created: %d collaborators, %s\n", len(added), status)

	var listed []string
	pages := 0
	for more, cursor := true, ""; more; pages++ {
		request := client.CollaboratorsAPI.ListCollaborators(ctx).XCompanyId(company).Search(runID).Limit(2)
		if cursor != "" {
			request = request.Cursor(cursor)
		}
		page, _, err := request.Execute()
		check(err)
		for _, item := range page.Data {
			listed = append(listed, item.Id)
		}
		cursor, more = page.Pagination.GetNextCursor(), page.Pagination.HasMore
	}
	if !slices.Equal(listed, added) {
		log.Fatalf("listed %v, added %v", listed, added)
	}
	fmt.Printf("listed: %d collaborators on %d pages\n", len(listed), pages)

	folder, err := os.MkdirTemp("", "trip")
	check(err)
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "contract.pdf")
	contract := "%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"
	check(os.WriteFile(path, []byte(contract), 0o600))
	file, err := os.Open(path)
	check(err)
	document, _, err := client.DocumentsAPI.UploadDocument(ctx, added[0]).
		XCompanyId(company).File(file).Type_(api.DOCUMENTTYPE_CONTRACT).Execute()
	check(err)
	fmt.Printf("uploaded: %s, %s, %d bytes\n", document.Name, document.Type, document.Size)

	_, _, err = client.CollaboratorsAPI.CreateCollaborator(ctx).
		XCompanyId(company).CollaboratorCreate(person(1)).Execute()
	rejected, isRejected := err.(*api.GenericOpenAPIError)
	if !isRejected {
		log.Fatalf("not rejected: %v", err)
	}
	invalid, isInvalid := rejected.Model().(api.BadRequestError)
	if !isInvalid {
		log.Fatalf("another error: %T %s", rejected.Model(), rejected.Body())
	}
	fmt.Printf("rejected: %s, email %s\n", invalid.Error, (*invalid.Details)["email"][0].Code)
}

func person(number int) api.CollaboratorCreate {
	return *api.NewCollaboratorCreate(
		fmt.Sprintf("Traveller %d %s", number, runID),
		fmt.Sprintf("traveller-%d-%s@verdelog.example", number, runID),
		"Driver",
		"Fleet",
	)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
