/**
 * Is this access token good, and what may it do? Checks signature, type, issuer, audience and expiry (RFC 9068), then
 * that the grant it comes from still stands.
 *
 * Verified tokens are remembered, so that the next request with one costs neither a query nor cryptography, for as long as
 * the access of their user and grant has the version under which they were verified (`identity/tokens/access-version.ts`).
 */

import * as oauth from 'oauth4webapi';
import { customFetch, type JWTAccessTokenClaims, validateJwtAccessToken } from 'oauth4webapi';
import { say } from '../../contract/languages/text.ts';
import { unauthorized } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { TokenCacheFigures } from '../../platform/observe/limits.ts';
import type { Level, StepUp } from '../factors/authentication.ts';
import type { InstallationRole } from '../installations/installations.ts';
import { type AccessVersions, accessVersions } from './access-version.ts';
import { publicKeys } from './signing-keys.ts';

const longest_token_characters = 8_192;
/** Keys are read again after this time, and at once when a token names a key that is not known. */
const keys_fresh_ms = 60_000;
/** An unknown key is looked for no more often than this, however many forged tokens come in. */
const unknown_key_pause_ms = 1_000;

export interface VerifiedToken {
  user_id: string;
  client_id: string;
  /** The company that registered the client; null for the operator. */
  maker_id: string | null;
  grant_id: string;
  scopes: string[];
  /** Set for an installation, whose id is `user_id` then. */
  installation_role: InstallationRole | undefined;
  /** Set for an installation that does nothing until an admin confirms it. */
  is_suspended?: true;
  /** The companies that the user ticked on the consent page. */
  company_ids: string[];
  /** When the person signed in to give the grant, in seconds since 1970: a company may ask for it to be not long ago. */
  signed_in_s: number;
  /** Seconds since 1970. */
  expires_at_s: number;
  /** When they signed in for this token, in seconds since 1970; undefined for tokens from before that was said. */
  auth_time_s: number | undefined;
  /** How strongly. */
  level: Level;
  /** What the company asks for, and this sign-in is not: set once it is known which company. */
  lacks?: StepUp | undefined;
  /** Under which it was verified; undefined when nothing may be remembered of it. */
  access_version: number | undefined;
}

export interface Verifier {
  /**
   * @throws Problem 401 for a token that is not good; the database's own error when it can't be asked
   */
  verify(token: string): Promise<VerifiedToken>;
  /** What its memory rests on. */
  versions: AccessVersions;
  figures(): TokenCacheFigures;
}

interface VerifierOptions {
  db: Database;
  /** Issuer and audience of every token. */
  base_url: string;
  /** Verified tokens that are remembered at most; with 0, nothing is remembered of anybody. */
  cache_entries: number;
  access: AccessListener;
}

export function createVerifier({ db, base_url, cache_entries, access }: VerifierOptions): Verifier {
  const cache = new Map<string, VerifiedToken>();
  const versions = accessVersions(access);
  const readClaims = claimsReader(db, base_url);
  access.subscribe({ onChange() {}, onKeys: readClaims.forgetKeys, onGap: readClaims.forgetKeys });
  let hits = 0;
  let misses = 0;

  const remembered = (token: string): VerifiedToken | undefined => {
    const known = cache.get(token);
    return known && versions.of(known) === known.access_version ? known : undefined;
  };
  const remember = (token: string, verified: VerifiedToken) => {
    cache.delete(token); // to the end: the oldest goes first
    if (cache.size >= cache_entries) cache.delete(cache.keys().next().value!);
    cache.set(token, verified);
  };
  return {
    versions,
    figures: () => ({ entries: cache.size, hits, misses }),
    async verify(token) {
      const known = remembered(token);
      if (known) {
        hits++;
        if (known.expires_at_s * 1000 > Date.now()) return known;
        cache.delete(token);
        throw expired();
      }
      misses++;
      const changes_before = versions.changes();
      const found = await withGrant(db, await readClaims.of(token));
      // A change that came in since may be about this very token.
      const is_current = cache_entries > 0 && versions.changes() === changes_before;
      const access_version = is_current ? versions.of(found) : undefined;
      const verified = { ...found, access_version };
      if (access_version === undefined) return verified;
      const first = remembered(token);
      if (first) return first;
      remember(token, verified);
      return verified;
    },
  };
}

/** @throws 401 when the grant has ended */
async function withGrant(db: Database, claims: JWTAccessTokenClaims): Promise<Omit<VerifiedToken, 'access_version'>> {
  const { sub, client_id, grant_id, scope = '', exp: expires_at_s } = claims;
  if (typeof grant_id !== 'string' || typeof scope !== 'string') throw invalid();
  const grant = await db.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as c', 'c.id', 'g.client_id')
    .select(['g.company_ids', 'g.user_id', 'g.installation_role', 'g.created_at', 'g.signed_in_at', 'g.suspended_at'])
    .select(['c.company_id as maker_id', 'c.scopes as of_client'])
    .where('g.id', '=', grant_id)
    .where('g.client_id', '=', client_id)
    .where('g.revoked_at', 'is', null)
    // Somebody may have allowed it while it was ended, too late for what ends with it.
    .where('c.revoked_at', 'is', null)
    .executeTakeFirst();
  // An installation speaks for itself, whoever installed it; everybody else for the person who allowed it.
  const user_id = grant?.installation_role ? grant_id : grant?.user_id;
  if (!grant || user_id !== sub) throw unauthorized('invalid_token', say`The access token was revoked.`);
  const { company_ids, of_client } = grant;
  // The app may have lost some since the token was issued.
  const scopes = scope.split(' ').filter((each) => each && (!of_client || of_client.includes(each)));
  const signed_in_s = Date.parse(grant.signed_in_at ?? grant.created_at) / 1_000;
  const installation_role = (grant.installation_role ?? undefined) as InstallationRole | undefined;
  const auth_time_s = typeof claims.auth_time === 'number' ? claims.auth_time : undefined;
  const level: Level = claims.acr === '2fa' ? '2fa' : '1fa';
  const whose = { user_id, client_id, maker_id: grant.maker_id, grant_id, scopes, installation_role, company_ids };
  const suspended = grant.suspended_at === null ? {} : { is_suspended: true as const };
  return { ...whose, ...suspended, signed_in_s, expires_at_s, auth_time_s, level };
}

/** Reads the claims of a token, with keys that come from the database and never from the network. */
function claimsReader(db: Database, base_url: string): ClaimsReader {
  const none = { server: {} as oauth.AuthorizationServer, ids: new Set<string>(), read_ms: Number.NEGATIVE_INFINITY };
  let keys = none;
  let changes = 0;
  let body = '';

  const readKeys = async () => {
    const changes_before = changes;
    const found = await publicKeys(db);
    body = JSON.stringify({ keys: found });
    // The library remembers keys by the server object they belong to: a new object makes it look again.
    const server = { issuer: base_url, jwks_uri: `${base_url}/oauth/jwks` };
    const read_ms = changes === changes_before ? performance.now() : none.read_ms; // else they may be old already
    keys = { server, ids: new Set(found.map((key) => key.kid)), read_ms };
  };
  const answer = async () => new Response(body, { headers: { 'content-type': 'application/jwk-set+json' } });

  const claimsOf = async (token: string) => {
    const key_id = keyIdOf(token);
    const age_ms = performance.now() - keys.read_ms;
    if (age_ms > keys_fresh_ms || (!keys.ids.has(key_id) && age_ms > unknown_key_pause_ms)) await readKeys();
    if (!keys.ids.has(key_id)) throw invalid();
    const request = new Request(base_url, { headers: { authorization: `Bearer ${token}` } });
    const options = {
      [customFetch]: answer,
      [oauth.allowInsecureRequests]: true, // nothing is requested; without it a base_url on plain http is refused
      [oauth.clockTolerance]: 0,
      signingAlgorithms: ['ES256'],
    };
    try {
      return await validateJwtAccessToken(keys.server, request, base_url, options);
    } catch (error) {
      throw isExpiry(error) ? expired(error) : invalid(error);
    }
  };
  const forgetKeys = () => {
    changes += 1;
    keys = none;
  };
  return { of: claimsOf, forgetKeys };
}

interface ClaimsReader {
  /** @throws 401 */
  of(token: string): Promise<JWTAccessTokenClaims>;
  forgetKeys(): void;
}

/** @throws 401 when the token can't be a signed JWT with a key id */
function keyIdOf(token: string): string {
  if (token.length > longest_token_characters || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw invalid();
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString());
    if (typeof header?.kid === 'string') return header.kid;
  } catch {
    // not JSON: refused below
  }
  throw invalid();
}

function isExpiry(error: unknown): boolean {
  if (!(error instanceof oauth.OperationProcessingError) || error.code !== oauth.JWT_TIMESTAMP_CHECK) return false;
  return (error.cause as { claim?: string } | undefined)?.claim === 'exp';
}

function expired(cause?: unknown) {
  return unauthorized('token_expired', say`The access token has expired.`, cause);
}

function invalid(cause?: unknown) {
  return unauthorized('invalid_token', say`The access token is not valid.`, cause);
}
