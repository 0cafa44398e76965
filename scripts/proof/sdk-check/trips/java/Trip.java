package com.example.trip;

import com.example.collaborators.ApiClient;
import com.example.collaborators.ApiException;
import com.example.collaborators.JSON;
import com.example.collaborators.api.AuthApi;
import com.example.collaborators.api.CollaboratorsApi;
import com.example.collaborators.api.CollaboratorsApi.APIListCollaboratorsRequest;
import com.example.collaborators.api.DocumentsApi;
import com.example.collaborators.api.WebhooksApi;
import com.example.collaborators.model.BadRequestError;
import com.example.collaborators.model.Collaborator;
import com.example.collaborators.model.CollaboratorCreate;
import com.example.collaborators.model.CollaboratorCreatedPayload;
import com.example.collaborators.model.DocumentType;
import com.example.collaborators.model.WebhookCreate;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The trip with openapi-generator: one class per tag, one method per operation. */
public final class Trip {
  private static final String BASE_URL = System.getenv("BASE_URL");
  private static final String RUN_ID = System.getenv("RUN_ID");
  private static final byte[] CONTRACT =
      "%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n".getBytes(StandardCharsets.UTF_8);

  public static void main(String[] args) throws Exception {
    var token = accessToken();
    var client = new ApiClient();
    client.updateBaseUri(BASE_URL);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));

    var company = new AuthApi(client).getAuthUser((String) null).getCompanies().get(0);
    System.out.printf("company: %s, as %s%n", company.getName(), company.getRole());

    var collaborators = new CollaboratorsApi(client);
    List<String> added = new ArrayList<>();
    Collaborator first = null;
    for (int number = 1; number <= 3; number++) {
      var created = collaborators.createCollaborator(company.getId(), person(number), null, null);
      if (first == null) first = created;
      added.add(created.getId());
    }
    System.out.printf("created: %d collaborators, %s%n", added.size(), first.getStatus());

    List<String> listed = new ArrayList<>();
    int pages = 0;
    String cursor = null;
    do {
      var request =
          APIListCollaboratorsRequest.newBuilder()
              .xCompanyId(company.getId())
              .search(RUN_ID)
              .limit(2)
              .cursor(cursor)
              .build();
      var page = collaborators.listCollaborators(request);
      for (var item : page.getData()) listed.add(item.getId());
      cursor = page.getPagination().getNextCursor();
      pages++;
    } while (cursor != null);
    check("everyone is listed", listed.equals(added));
    System.out.printf("listed: %d collaborators on %d pages%n", listed.size(), pages);

    var file = Files.write(Files.createTempDirectory("trip").resolve("contract.pdf"), CONTRACT).toFile();
    var documents = new DocumentsApi(client);
    var document = documents.uploadDocument(company.getId(), first.getId(), file, DocumentType.CONTRACT, null, null, null);
    System.out.printf("uploaded: %s, %s, %d bytes%n", document.getName(), document.getType(), document.getSize());

    try {
      collaborators.createCollaborator(company.getId(), person(1), null, null);
      check("a duplicate is rejected", false);
    } catch (ApiException rejected) {
      check("400", rejected.getCode() == 400);
      var invalid = json().readValue(rejected.getResponseBody(), BadRequestError.class);
      var emailError = invalid.getDetails().get("email").get(0);
      System.out.printf("rejected: %s, email %s%n", invalid.getError(), emailError.getCode());
    }

    var received = new LinkedBlockingQueue<Event>();
    var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/events", exchange -> received.add(new Event(exchange)));
    receiver.start();
    var webhooks = new WebhooksApi(client);
    var url = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/events");
    var subscription = new WebhookCreate().url(url).addEventsItem("collaborator.created");
    var subscribed = webhooks.createWebhook(company.getId(), subscription, null, null);
    collaborators.createCollaborator(company.getId(), person(4), null, null);
    var event = received.poll(30, TimeUnit.SECONDS);
    check("a valid signature", event != null && event.isSigned(subscribed.getSecret()));
    var payload = json().readValue(event.body, CollaboratorCreatedPayload.class).getData();
    System.out.printf("webhook: %s, %s, signature valid%n", payload.getEventType(), payload.getData().getStatus());
    check("the subscription ended", webhooks.deleteWebhook(company.getId(), subscribed.getId(), null).getDeleted() != null);
    receiver.stop(0);
  }

  /** Exchanges the refresh token for an access token, as a client does once an hour (RFC 6749, section 6). */
  private static String accessToken() throws Exception {
    var form =
        "grant_type=refresh_token&client_id="
            + System.getenv("CLIENT_ID")
            + "&refresh_token="
            + System.getenv("REFRESH_TOKEN");
    var request =
        HttpRequest.newBuilder(URI.create(BASE_URL + "/oauth/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    var tokens = json().readTree(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
    System.out.printf("token: for %d s%n", tokens.get("expires_in").asInt());
    return tokens.get("access_token").asText();
  }

  private static CollaboratorCreate person(int number) {
    return new CollaboratorCreate()
        .name("Traveller " + number + " " + RUN_ID)
        .email("traveller-" + number + "-" + RUN_ID + "@verdelog.example")
        .position("Driver")
        .department("Fleet");
  }

  private static ObjectMapper json() {
    return JSON.getDefault().getMapper();
  }

  private static void check(String what, boolean holds) {
    if (!holds) throw new IllegalStateException("check failed: " + what);
  }

  /** A request to the receiver. */
  private static final class Event {
    final Headers headers;
    final byte[] body;

    /** Reads the request, and responds with 204. */
    Event(HttpExchange exchange) throws IOException {
      headers = exchange.getRequestHeaders();
      body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    }

    boolean isSigned(String secret) throws Exception {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
      var signed = new ByteArrayOutputStream();
      var before = headers.getFirst("webhook-id") + "." + headers.getFirst("webhook-timestamp") + ".";
      signed.write(before.getBytes(StandardCharsets.UTF_8));
      signed.write(body);
      var good = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
      for (var given : headers.getFirst("webhook-signature").split(" ")) {
        if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), good.getBytes(StandardCharsets.UTF_8))) return true;
      }
      return false;
    }
  }
}
