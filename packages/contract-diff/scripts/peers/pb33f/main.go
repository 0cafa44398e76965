// Compares two OpenAPI documents with the engine of pb33f's openapi-changes, and prints each change as a line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pb33f/libopenapi"
)

func main() {
	base, revised := read(os.Args[1]), read(os.Args[2])
	changes, err := libopenapi.CompareDocuments(base, revised)
	if err != nil {
		fail(err)
	}
	if changes == nil {
		return
	}
	out := json.NewEncoder(os.Stdout)
	for _, change := range changes.GetAllChanges() {
		_ = out.Encode(map[string]any{
			"property": change.Property, "path": change.Path, "breaking": change.Breaking,
			"type": change.ChangeType, "from": change.Original, "to": change.New,
		})
	}
}

func read(file string) libopenapi.Document {
	text, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		fail(err)
	}
	return document
}

func fail(err any) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}
