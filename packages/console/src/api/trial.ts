/**
 * Tries out an app: runs its authorization code flow with PKCE in a popup, as the app itself would. The tokens are revoked
 * afterwards, so the console keeps none.
 */

import { challengeOf, random, waitForResponse, windowState } from './client/popup.ts';
import { serviceUrl, tryPath } from './client/sign-in.ts';

/** The redirect URI that an app needs to be tried out. */
export const tryUri = location.origin + tryPath;

interface TrialQuestion {
  client_id: string;
  scopes: readonly string[];
  /** Install for the company, rather than grant access for the current user. */
  installation: boolean;
}

export interface TrialAnswer {
  address: string;
  /** Null when access was denied. */
  code: string | null;
  error: { code: string; description: string } | null;
  /** Whether `iss` in the response matches this service (RFC 9207). */
  isOurs: boolean;
  verifier: string;
  answeredAt: string;
}

/** @throws WindowClosed */
export async function requestAuthorization(opened: Window, question: TrialQuestion): Promise<TrialAnswer> {
  const state = windowState();
  const verifier = random();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: question.client_id,
    redirect_uri: tryUri,
    scope: question.scopes.join(' '),
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    ...(question.installation && { installation: 'true' }),
  });
  const address = `${serviceUrl}/oauth/authorize?${query}`;
  const answer = await waitForResponse(opened, address, state);
  const error = answer.get('error');
  return {
    address,
    code: answer.get('code'),
    error: error === null ? null : { code: error, description: answer.get('error_description') ?? '' },
    isOurs: answer.get('iss') === serviceUrl,
    verifier,
    answeredAt: new Date().toISOString(),
  };
}

export interface TrialResult {
  tokens: Record<string, unknown>;
  /** Response of `GET /auth/user`; undefined without a token. */
  user: unknown;
  isEnded: boolean;
}

/** Exchanges the code as a public app does, and calls the API once. Revokes the tokens before it returns. */
export async function redeem(clientId: string, code: string, verifier: string): Promise<TrialResult> {
  const tokens = await form('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: tryUri,
  });
  const said = (await tokens.json()) as Record<string, unknown>;
  if (!tokens.ok) return { tokens: said, user: undefined, isEnded: false };
  const { access_token: accessToken, refresh_token: refreshToken } = said as {
    access_token: string;
    refresh_token?: string;
  };
  try {
    const user = await fetch('/auth/user', { headers: { Authorization: `Bearer ${accessToken}` } });
    return {
      tokens: hidden(said),
      user: await user.json(),
      isEnded: await end(clientId, refreshToken ?? accessToken),
    };
  } catch (error) {
    await end(clientId, refreshToken ?? accessToken);
    throw error;
  }
}

/** Revoking a token revokes its whole grant. */
async function end(clientId: string, token: string): Promise<boolean> {
  return (await form('/oauth/revoke', { client_id: clientId, token })).ok;
}

const form = (path: string, fields: Record<string, string>) =>
  fetch(path, { method: 'POST', body: new URLSearchParams(fields) });

function hidden(said: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(said).map(([name, value]) => [name, /_token$/.test(name) ? '***' : value]);
  return Object.fromEntries(entries);
}
