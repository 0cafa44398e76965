// Signs in with golang.org/x/oauth2, refreshes, and gets a token with client_credentials.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var (
	ctx   = context.Background()
	base  = os.Getenv("BASE_URL")
	input = bufio.NewScanner(os.Stdin)
)

func main() {
	endpoint := oauth2.Endpoint{AuthURL: base + "/oauth/authorize", TokenURL: base + "/oauth/token"}
	config := &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Endpoint:     endpoint,
	}

	config.Scopes = []string{"openid", "profile", "email", "offline_access"}
	token := signIn(config)
	fmt.Println("signed in as", read(config.Client(ctx, token), "/oauth/userinfo")["email"])
	token.Expiry = time.Now().Add(-time.Hour)
	renewed := must(config.TokenSource(ctx, token).Token())
	if renewed.AccessToken == token.AccessToken {
		log.Fatal("the same token")
	}
	fmt.Println("refreshed")

	config.Scopes = []string{"profile", "collaborators:read", "offline_access"}
	installation := signIn(config, oauth2.SetAuthURLParam("installation", "true"))
	machine := clientcredentials.Config{
		ClientID:       config.ClientID,
		ClientSecret:   config.ClientSecret,
		TokenURL:       endpoint.TokenURL,
		EndpointParams: url.Values{"installation_id": {installation.Extra("installation_id").(string)}},
	}
	if read(machine.Client(ctx), "/auth/user")["kind"] != "installation" {
		log.Fatal("not the installation")
	}
	fmt.Println("token without a person")
}

func signIn(config *oauth2.Config, options ...oauth2.AuthCodeOption) *oauth2.Token {
	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	fmt.Println("open", config.AuthCodeURL(state, append(options, oauth2.S256ChallengeOption(verifier))...))
	input.Scan()
	response := must(url.Parse(input.Text())).Query()
	if response.Get("state") != state {
		log.Fatal("another state: ", input.Text())
	}
	return must(config.Exchange(ctx, response.Get("code"), oauth2.VerifierOption(verifier)))
}

func read(client *http.Client, path string) (body map[string]any) {
	response := must(client.Get(base + path))
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil || response.StatusCode != 200 {
		log.Fatal(path, " ", response.Status, " ", err)
	}
	return body
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
