/**
 * Tries out an app: runs its authorization code flow with PKCE in a popup, as the app itself would. The tokens are revoked
 * afterwards, so the console keeps none.
 */

import { challengeOf, random, waitForResponse, windowState } from './client/popup.ts';
import { serviceUrl, tryPath } from './client/sign-in.ts';

/** The redirect URI that an app needs to be tried out. */
export const tryUri = location.origin + tryPath;

interface TrialRequest {
  client_id: string;
  scopes: readonly string[];
  /** Install for the company, rather than grant access for the current user. */
  installation: boolean;
}

export interface TrialResponse {
  address: string;
  /** Null when access was denied. */
  code: string | null;
  error: { code: string; description: string } | null;
  /** Whether `iss` in the response matches this service (RFC 9207). */
  isIssuerValid: boolean;
  verifier: string;
  respondedAt: string;
}

/** @throws WindowClosed */
export async function requestAuthorization(popup: Window, request: TrialRequest): Promise<TrialResponse> {
  const state = windowState();
  const verifier = random();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: request.client_id,
    redirect_uri: tryUri,
    scope: request.scopes.join(' '),
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(request.installation && { installation: 'true' }),
  });
  const address = `${serviceUrl}/oauth/authorize?${query}`;
  const response = await waitForResponse(popup, address, state);
  const error = response.get('error');
  return {
    address,
    code: response.get('code'),
    error: error === null ? null : { code: error, description: response.get('error_description') ?? '' },
    isIssuerValid: response.get('iss') === serviceUrl,
    verifier,
    respondedAt: new Date().toISOString(),
  };
}

export interface TrialResult {
  tokens: Record<string, unknown>;
  /** Response of `GET /auth/user`; undefined without a token. */
  user: unknown;
  isRevoked: boolean;
}

/** Exchanges the code as a public app does, and calls the API once. Revokes the tokens before it returns. */
export async function redeem(clientId: string, code: string, verifier: string): Promise<TrialResult> {
  const tokens = await postForm('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: tryUri,
  });
  const body = (await tokens.json()) as Record<string, unknown>;
  if (!tokens.ok) return { tokens: body, user: undefined, isRevoked: false };
  const { access_token: accessToken, refresh_token: refreshToken } = body as {
    access_token: string;
    refresh_token?: string;
  };
  try {
    const user = await fetch('/auth/user', { headers: { Authorization: `Bearer ${accessToken}` } });
    return {
      tokens: maskTokens(body),
      user: await user.json(),
      isRevoked: await revoke(clientId, refreshToken ?? accessToken),
    };
  } catch (error) {
    await revoke(clientId, refreshToken ?? accessToken);
    throw error;
  }
}

/** Revoking a token revokes its whole grant. */
async function revoke(clientId: string, token: string): Promise<boolean> {
  return (await postForm('/oauth/revoke', { client_id: clientId, token })).ok;
}

const postForm = (path: string, fields: Record<string, string>) =>
  fetch(path, { method: 'POST', body: new URLSearchParams(fields) });

function maskTokens(body: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => [name, /_token$/.test(name) ? '***' : value]);
  return Object.fromEntries(entries);
}
