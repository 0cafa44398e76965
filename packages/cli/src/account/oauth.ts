/**
 * The command line as an OAuth client: a public client with PKCE that receives the answer on a loopback address (RFC
 * 8252). oauth4webapi implements the protocol and its checks; this file turns its errors into sentences.
 */
import * as oauth from 'oauth4webapi';
import { Failure } from '../terminal/failure.ts';
import { NoAnswer, unanswered } from './unanswered.ts';

const answer_timeout_ms = 15_000;

export type Server = oauth.AuthorizationServer;
export type Tokens = oauth.TokenEndpointResponse;

interface AuthorizationRequest {
  /** What the user opens. */
  url: URL;
  client_id: string;
  redirect_uri: string;
  state: string;
  code_verifier: string;
}

/** Thrown when the server says that a code or refresh token counts no more. */
export class GrantEnded extends Failure {
  override name = 'GrantEnded';
}

/** Reads the server's metadata; `base_url` must be the name it gives itself. */
export async function discover(base_url: string): Promise<Server> {
  const issuer = new URL(base_url);
  const response = await send(base_url, () => {
    return oauth.discoveryRequest(issuer, { ...options(base_url), algorithm: 'oauth2' });
  });
  if (!response.ok) throw new Failure(`${base_url} is not this service: it has no OAuth metadata (${response.status})`);
  const metadata = (await response
    .clone()
    .json()
    .catch(() => null)) as { issuer?: unknown } | null;
  if (typeof metadata?.issuer !== 'string') throw new Failure(`${base_url} is not this service: no OAuth metadata`);
  if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== issuer.href) {
    throw new Failure(`the service at ${base_url} calls itself ${metadata.issuer}: use --base-url ${metadata.issuer}`);
  }
  return oauth.processDiscoveryResponse(issuer, response);
}

export async function authorizationRequest(
  server: Server,
  client_id: string,
  redirect_uri: string,
  scope: string,
): Promise<AuthorizationRequest> {
  const state = oauth.generateRandomState();
  const code_verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint!);
  const code_challenge = await oauth.calculatePKCECodeChallenge(code_verifier);
  const parameters = { response_type: 'code', client_id, redirect_uri, scope, state, code_challenge };
  url.search = new URLSearchParams({ ...parameters, code_challenge_method: 'S256' }).toString();
  return { url, client_id, redirect_uri, state, code_verifier };
}

/**
 * Turns the parameters of the redirect into tokens.
 * @throws Failure when `state` or `iss` is not the expected one, the user refused, or the code is not accepted
 */
export async function exchangeCode(
  server: Server,
  request: AuthorizationRequest,
  answer: URLSearchParams,
): Promise<Tokens> {
  const client = { client_id: request.client_id };
  return checked(server, async () => {
    const parameters = oauth.validateAuthResponse(server, client, answer, request.state);
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

/** @throws GrantEnded when the sign-in behind the refresh token has ended */
export async function refreshTokens(server: Server, client_id: string, refresh_token: string): Promise<Tokens> {
  const client = { client_id };
  return checked(server, async () => {
    const response = await send(server.issuer, () =>
      oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh_token, options(server.issuer)),
    );
    return oauth.processRefreshTokenResponse(server, client, response);
  });
}

/** Ends the sign-in that a token belongs to. One that the server does not know (any more) is fine (RFC 7009). */
export async function revokeToken(server: Server, client_id: string, token: string): Promise<void> {
  await checked(server, async () => {
    const response = await send(server.issuer, () =>
      oauth.revocationRequest(server, { client_id }, oauth.None(), token, options(server.issuer)),
    );
    await oauth.processRevocationResponse(response);
  });
}

/** Plain http is allowed to the own machine only: tokens pass here. */
function options(base_url: string) {
  const { protocol, hostname } = new URL(base_url);
  const own_machine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'http:' && !own_machine)
    throw new Failure(`${base_url} must be https: tokens would be sent unencrypted`);
  return { [oauth.allowInsecureRequests]: own_machine, signal: () => AbortSignal.timeout(answer_timeout_ms) };
}

async function send(base_url: string, request: () => Promise<Response>): Promise<Response> {
  const response = await request().catch((error) => {
    throw unanswered(base_url, error, answer_timeout_ms);
  });
  if (response.status >= 500) throw new NoAnswer(`${base_url} answered ${response.status}: try again later`);
  return response;
}

/** The library's errors as what happened, in the server's words where it gave any. */
async function checked<T>(server: Server, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw new Failure(`the sign-in was refused: ${error.error_description ?? error.error} (${error.error})`);
    }
    if (error instanceof oauth.ResponseBodyError) {
      const { error: code, error_description = code } = error;
      const message = `${server.issuer} refused: ${error_description} (${code})`;
      throw code === 'invalid_grant' || code === 'invalid_client' ? new GrantEnded(message) : new Failure(message);
    }
    if (error instanceof oauth.OperationProcessingError) {
      throw new Failure(`the answer of ${server.issuer} can not be trusted: ${error.message}`);
    }
    throw error;
  }
}
