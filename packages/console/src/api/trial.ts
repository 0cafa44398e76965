/**
 * A trial of an app: the authorization code flow with PKCE, as the app itself would go through it, in a window of its own. What it
 * ends with is shown and then ended: no token of an app stays in the console.
 */
import { serviceUrl, tryPath } from './sign-in.ts';
import { answerFrom, challengeOf, random, windowState } from './window.ts';

/** Where apps that are tried come back to; it has to be one of their redirect URIs. */
export const tryUri = location.origin + tryPath;

interface TrialQuestion {
  client_id: string;
  scopes: readonly string[];
  /** Whether it is to act for the company, and not for who tries it. */
  installation: boolean;
}

export interface TrialAnswer {
  /** The authorization request. */
  address: string;
  /** None where the app was not allowed. */
  code: string | null;
  error: { code: string; description: string } | null;
  /** Whether the answer says that it is of this service (RFC 9207). */
  isOurs: boolean;
  verifier: string;
  answeredAt: string;
}

/** @throws WindowClosed */
export async function askToAllow(opened: Window, question: TrialQuestion): Promise<TrialAnswer> {
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
  const answer = await answerFrom(opened, address, state);
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
  /** Answer of the token endpoint, with the tokens hidden. */
  tokens: Record<string, unknown>;
  /** Whom the token is for: answer of `GET /auth/user`; undefined when there was no token. */
  user: unknown;
  /** Whether the access was ended again. */
  isEnded: boolean;
}

/** What a public app does with the code, and what it sees then. Its tokens are revoked before this returns. */
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

/** With a token ends everything that was allowed with it. */
async function end(clientId: string, token: string): Promise<boolean> {
  return (await form('/oauth/revoke', { client_id: clientId, token })).ok;
}

const form = (path: string, fields: Record<string, string>) =>
  fetch(path, { method: 'POST', body: new URLSearchParams(fields) });

function hidden(said: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(said).map(([name, value]) => [name, /_token$/.test(name) ? '***' : value]);
  return Object.fromEntries(entries);
}
