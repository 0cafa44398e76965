// The trip with oapi-codegen: one method per operation, one field per response status.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"

	openapi_types "github.com/oapi-codegen/runtime/types"

	api "example.com/trip/collaborators"
)

var (
	baseURL  = os.Getenv("BASE_URL")
	runID    = os.Getenv("RUN_ID")
	ctx      = context.Background()
	contract = []byte("%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n")
)

func main() {
	token := accessToken()
	client := must(api.NewClientWithResponses(baseURL, api.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token)
			return nil
		})))

	user := must(client.GetAuthUserWithResponse(ctx, nil)).JSON200
	company := user.Companies[0]
	fmt.Printf("company: %s, as %s\n", company.Name, company.Role)
	create := api.CreateCollaboratorParams{XCompanyId: company.Id}

	var added []api.Collaborator
	for number := 1; number <= 3; number++ {
		created := must(client.CreateCollaboratorWithResponse(ctx, &create, person(number)))
		check("a collaborator", created.JSON201 != nil)
		added = append(added, *created.JSON201)
	}
	fmt.Printf("created: %d collaborators, %s\n", len(added), added[0].Status)

	var listed []string
	pages, limit := 0, 2
	for more, cursor := true, (*string)(nil); more; pages++ {
		response := must(client.ListCollaboratorsWithResponse(ctx, &api.ListCollaboratorsParams{
			XCompanyId: company.Id, Search: &runID, Limit: &limit, Cursor: cursor,
		}))
		check("a list", response.JSON200 != nil)
		page := *response.JSON200
		for _, item := range page.Data {
			listed = append(listed, item.Id)
		}
		cursor = page.Pagination.NextCursor
		more = page.Pagination.HasMore
	}
	check("everyone is listed", slices.EqualFunc(listed, added, func(id string, one api.Collaborator) bool { return id == one.Id }))
	fmt.Printf("listed: %d collaborators on %d pages\n", len(listed), pages)

	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	_, err := must(parts.CreateFormFile("file", "contract.pdf")).Write(contract)
	check("the file is written", err == nil)
	check("the type is written", parts.WriteField("type", string(api.DocumentTypeContract)) == nil)
	check("the form is closed", parts.Close() == nil)
	upload := api.UploadDocumentParams{XCompanyId: company.Id}
	uploaded := must(client.UploadDocumentWithBodyWithResponse(ctx, added[0].Id, &upload, parts.FormDataContentType(), &form))
	check("a document", uploaded.JSON201 != nil)
	document := *uploaded.JSON201
	fmt.Printf("uploaded: %s, %s, %d bytes\n", document.Name, document.Type, document.Size)

	rejected := must(client.CreateCollaboratorWithResponse(ctx, &create, person(1)))
	check("an error", rejected.JSON400 != nil)
	invalid := *rejected.JSON400
	fmt.Printf("rejected: %s, email %s\n", invalid.Error, (*invalid.Details)["email"][0].Code)

	events := make(chan event, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		events <- event{request.Header, must(io.ReadAll(request.Body))}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	subscription := api.WebhookCreate{Url: receiver.URL, Events: []api.EventPattern{"collaborator.created"}}
	subscribed := must(client.CreateWebhookWithResponse(ctx, &api.CreateWebhookParams{XCompanyId: company.Id}, subscription))
	check("a subscription", subscribed.JSON201 != nil)
	must(client.CreateCollaboratorWithResponse(ctx, &create, person(4)))
	received := <-events
	check("a valid signature", received.isSigned(subscribed.JSON201.Secret))
	var payload api.CollaboratorCreatedPayload
	check("a payload", json.Unmarshal(received.body, &payload) == nil)
	fmt.Printf("webhook: %s, %s, signature valid\n", payload.Data.EventType, payload.Data.Data.Status)
	ended := must(client.DeleteWebhookWithResponse(ctx, subscribed.JSON201.Id, &api.DeleteWebhookParams{XCompanyId: company.Id}))
	check("the subscription ended", ended.JSON200 != nil)
}

// accessToken exchanges the refresh token, as a client does once an hour (RFC 6749, section 6).
func accessToken() string {
	response := must(http.PostForm(baseURL+"/oauth/token", url.Values{
		"grant_type":    {"refresh_token"},
		"client_id":     {os.Getenv("CLIENT_ID")},
		"refresh_token": {os.Getenv("REFRESH_TOKEN")},
	}))
	var tokens struct {
		AccessToken string `json:"access_token"`
		ExpiresIn   int    `json:"expires_in"`
	}
	check("tokens", json.NewDecoder(response.Body).Decode(&tokens) == nil)
	fmt.Printf("token: for %d s\n", tokens.ExpiresIn)
	return tokens.AccessToken
}

func person(number int) api.CollaboratorCreate {
	return api.CollaboratorCreate{
		Name:       fmt.Sprintf("Traveller %d %s", number, runID),
		Email:      openapi_types.Email(fmt.Sprintf("traveller-%d-%s@verdelog.example", number, runID)),
		Position:   "Driver",
		Department: "Fleet",
	}
}

type event struct {
	header http.Header
	body   []byte
}

func (e event) isSigned(secret string) bool {
	key := must(base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", e.header.Get("webhook-id"), e.header.Get("webhook-timestamp"), e.body)
	good := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.ContainsFunc(strings.Split(e.header.Get("webhook-signature"), " "), func(given string) bool {
		return hmac.Equal([]byte(given), []byte(good))
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(what string, holds bool) {
	if !holds {
		log.Fatalf("check failed: %s", what)
	}
}
