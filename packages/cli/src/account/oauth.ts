/**
 * The CLI as a public OAuth client: PKCE with a loopback redirect (RFC 8252). oauth4webapi implements the protocol and its
 * checks; this file turns its errors into readable messages.
 */
import * as oauth from 'oauth4webapi';
import { CliError } from '../terminal/failure.ts';
import { explainNetworkError, ServiceUnavailable } from './network-error.ts';

const responseTimeoutMs = 120_000;

export type Server = oauth.AuthorizationServer;
export type Tokens = oauth.TokenEndpointResponse;

interface AuthorizationRequest {
  url: URL;
  client_id: string;
  redirect_uri: string;
  state: string;
  code_verifier: string;
}

/** The server rejected an authorization code or refresh token (`invalid_grant`). */
export class GrantEnded extends CliError {
  override name = 'GrantEnded';
}

/** Fetches the server metadata; `base_url` must be its issuer. */
export async function discover(baseUrl: string): Promise<Server> {
  const issuer = new URL(baseUrl);
  const response = await send(baseUrl, () => {
    return oauth.discoveryRequest(issuer, { ...options(baseUrl), algorithm: 'oauth2' });
  });
  if (!response.ok) throw new CliError(`${baseUrl} is not this service: it has no OAuth metadata (${response.status})`);
  const metadata = (await response
    .clone()
    .json()
    .catch(() => null)) as { issuer?: unknown } | null;
  if (typeof metadata?.issuer !== 'string') throw new CliError(`${baseUrl} is not this service: no OAuth metadata`);
  if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== issuer.href) {
    throw new CliError(`the service at ${baseUrl} calls itself ${metadata.issuer}: use --base-url ${metadata.issuer}`);
  }
  return oauth.processDiscoveryResponse(issuer, response);
}

export async function authorizationRequest(
  server: Server,
  clientId: string,
  redirectUri: string,
  scope: string,
): Promise<AuthorizationRequest> {
  const state = oauth.generateRandomState();
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint!);
  const codeChallenge = await oauth.calculatePKCECodeChallenge(codeVerifier);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: codeChallenge,
  };
  url.search = new URLSearchParams({ ...parameters, code_challenge_method: 'S256' }).toString();
  return { url, client_id: clientId, redirect_uri: redirectUri, state, code_verifier: codeVerifier };
}

/**
 * Exchanges the parameters of the redirect for tokens.
 * @throws CliError when `state` or `iss` does not match, the user denied access, or the code is rejected
 */
export async function exchangeCode(
  server: Server,
  request: AuthorizationRequest,
  redirectParams: URLSearchParams,
): Promise<Tokens> {
  const client = { client_id: request.client_id };
  return withReadableErrors(server, async () => {
    const parameters = oauth.validateAuthResponse(server, client, redirectParams, request.state);
    const response = await send(server.issuer, () =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        request.redirect_uri,
        request.code_verifier,
        options(server.issuer),
      ),
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  });
}

/** @throws GrantEnded when the refresh token is no longer valid */
export async function refreshTokens(server: Server, clientId: string, refreshToken: string): Promise<Tokens> {
  const client = { client_id: clientId };
  return withReadableErrors(server, async () => {
    const response = await send(server.issuer, () =>
      oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options(server.issuer)),
    );
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}

/** Revokes the grant of a token. An unknown token is no error (RFC 7009). */
export async function revokeToken(server: Server, clientId: string, token: string): Promise<void> {
  await withReadableErrors(server, async () => {
    const response = await send(server.issuer, () =>
      oauth.revocationRequest(server, { client_id: clientId }, oauth.None(), token, options(server.issuer)),
    );
    await oauth.processRevocationResponse(response);
  });
}

/** Allow plain http for loopback addresses only, because tokens are sent. */
function options(baseUrl: string) {
  const { protocol, hostname } = new URL(baseUrl);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'http:' && !isLoopback)
    throw new CliError(`${baseUrl} must be https: tokens would be sent unencrypted`);
  return { [oauth.allowInsecureRequests]: isLoopback, signal: () => AbortSignal.timeout(responseTimeoutMs) };
}

async function send(baseUrl: string, request: () => Promise<Response>): Promise<Response> {
  const response = await request().catch((error) => {
    throw explainNetworkError(baseUrl, error, responseTimeoutMs);
  });
  if (response.status >= 500) throw new ServiceUnavailable(`${baseUrl} returned ${response.status}: try again later`);
  return response;
}

/** Turns the library's errors into Failures, with the server's message if there is one. */
async function withReadableErrors<T>(server: Server, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new CliError(`the sign-in was rejected: ${error.error_description ?? error.error} (${error.error})`);
    }
    if (error instanceof oauth.ResponseBodyError) {
      const { error: code, error_description: errorDescription = code } = error;
      const message = `${server.issuer} rejected the request: ${errorDescription} (${code})`;
      throw code === 'invalid_grant' || code === 'invalid_client' ? new GrantEnded(message) : new CliError(message);
    }
    if (error instanceof oauth.OperationProcessingError) {
      throw new CliError(`the response of ${server.issuer} can't be trusted: ${error.message}`);
    }
    throw error;
  }
}
