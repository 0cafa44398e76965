/**
 * Verifies access tokens: signature, type, issuer, audience, expiry (RFC 9068), and grant. Verified tokens are cached until the
 * access version of their user or grant changes (`identity/tokens/access-version.ts`).
 */

import * as oauth from 'oauth4webapi';
import { customFetch, type JWTAccessTokenClaims, validateJwtAccessToken } from 'oauth4webapi';
import { t } from '../../contract/languages/text.ts';
import { unauthorized } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import type { AccessListener } from '../../platform/notify/listen.ts';
import type { TokenCacheStats } from '../../platform/observe/limits.ts';
import { type Level, passkeyMethod, type StepUp } from '../factors/authentication.ts';
import type { InstallationRole } from '../installations/installations.ts';
import { type AccessVersions, accessVersions } from './access-version.ts';
import {
  claimsBinding,
  headersOf,
  invalidProof,
  type Proof,
  proofAlgorithm,
  proofMissing,
  refuseReplay,
  type UseOnce,
} from './dpop.ts';
import { publicKeys } from './signing-keys.ts';

const maxTokenCharacters = 8_192;
/** Keys are reloaded after this time, and immediately for an unknown key id. */
const keysFreshMs = 60_000;
/** Limits reloads caused by unknown key ids, against forged tokens. */
const unknownKeyPauseMs = 1_000;

export interface VerifiedToken {
  user_id: string;
  client_id: string;
  /** The company that registered the client; null for the operator. */
  maker_id: string | null;
  grant_id: string;
  scopes: string[];
  /** The requested `identityScopes`; undefined in older tokens. */
  identity_scopes?: readonly string[] | undefined;
  /** Set for an installation, whose id is then in `user_id`. */
  installation_role: InstallationRole | undefined;
  /** Set while an installation waits for an admin's confirmation. */
  isSuspended?: true;
  /** The companies chosen on the consent page. */
  company_ids: string[];
  /** When the user signed in to give the grant, in seconds since 1970, for the company's age limit. */
  signedInS: number;
  /** Seconds since 1970. */
  expiresAtS: number;
  /** When the user signed in for this token, in seconds since 1970; undefined in older tokens. */
  auth_time_s: number | undefined;
  level: Level;
  hasPasskey: boolean;
  /** Whether the company's identity provider signed the user in. */
  isOfProvider: boolean;
  /** The company's requirements that the sign-in doesn't meet: set once the company is known. */
  lacks?: StepUp | undefined;
  /** Set for a token that requires proofs. */
  isBound?: true;
  /** The version under which it was verified; undefined if it must not be cached. */
  access_version: number | undefined;
}

export interface Verifier {
  /**
   * @param proof required for a token bound to a key, and rejected for any other
   * @throws Problem 401 for an invalid token; the database error if the check fails
   */
  verify(token: string, proof?: Proof): Promise<VerifiedToken>;
  /** Access versions that invalidate the cache. */
  versions: AccessVersions;
  figures(): TokenCacheStats;
}

interface VerifierOptions {
  db: Database;
  /** Issuer and audience of every token. */
  base_url: string;
  /** The size of the cache; 0 disables all caching of access. */
  cacheEntries: number;
  access: AccessListener;
  /** Records used proofs; without it, bound tokens are rejected. */
  useOnce?: UseOnce;
}

export function createVerifier({ db, base_url: baseUrl, cacheEntries, access, useOnce }: VerifierOptions): Verifier {
  const cache = new Map<string, VerifiedToken>();
  const versions = accessVersions(access);
  const readClaims = claimsReader(db, baseUrl);
  access.subscribe({ onChange() {}, onKeys: readClaims.forgetKeys, onGap: readClaims.forgetKeys });
  let hits = 0;
  let misses = 0;

  const cachedToken = (token: string): VerifiedToken | undefined => {
    const known = cache.get(token);
    return known && versions.of(known) === known.access_version ? known : undefined;
  };
  const remember = (token: string, verified: VerifiedToken) => {
    cache.delete(token); // moves it to the end; the oldest is evicted first
    if (cache.size >= cacheEntries) cache.delete(cache.keys().next().value!);
    cache.set(token, verified);
  };
  return {
    versions,
    figures: () => ({ entries: cache.size, hits, misses }),
    async verify(token, proof) {
      const proven = proof && (await readClaims.of(token, proof));
      if (proven) await refuseReplay(useOnce, proven.cnf?.jkt, proof);
      const known = cachedToken(token);
      if (known?.isBound && !proof) throw proofMissing();
      if (known && known.expiresAtS * 1000 > Date.now()) {
        hits++;
        return known;
      }
      misses++;
      const changesBefore = versions.changes();
      const found = await withGrant(db, proven ?? (await readClaims.of(token)));
      // A change announced in the meantime may concern this token.
      const isCurrent = cacheEntries > 0 && versions.changes() === changesBefore;
      const accessVersion = isCurrent ? versions.of(found) : undefined;
      const verified = { ...found, access_version: accessVersion };
      if (accessVersion === undefined) return verified;
      const first = cachedToken(token);
      if (first) return first;
      remember(token, verified);
      return verified;
    },
  };
}

/** @throws 401 when the grant is revoked */
async function withGrant(db: Database, claims: JWTAccessTokenClaims): Promise<Omit<VerifiedToken, 'access_version'>> {
  const { sub, client_id: clientId, grant_id: grantId, scope = '', exp: expiresAtS } = claims;
  if (typeof grantId !== 'string' || typeof scope !== 'string') throw invalid();
  const grant = await db.global
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_clients as c', 'c.id', 'g.client_id')
    .leftJoin('users as u', 'u.id', 'g.user_id')
    .select(['g.company_ids', 'g.user_id', 'g.installation_role', 'g.created_at', 'g.signed_in_at', 'g.suspended_at'])
    .select(['c.company_id as maker_id', 'c.scopes as of_client', 'u.only_company_id'])
    .where('g.id', '=', grantId)
    .where('g.client_id', '=', clientId)
    .where('g.revoked_at', 'is', null)
    // A consent that was concurrent with the client's revocation may have been missed by it.
    .where('c.revoked_at', 'is', null)
    .executeTakeFirst();
  // An installation is its own subject, not its installer.
  const userId = grant?.installation_role ? grantId : grant?.user_id;
  if (!grant || userId !== sub) throw unauthorized('invalid_token', t`The access token was revoked.`);
  const { company_ids: companyIds, of_client: ofClient } = grant;
  // The app may have lost scopes since the token was issued.
  const scopes = scope.split(' ').filter((each) => each && (!ofClient || ofClient.includes(each)));
  const signedInS = Date.parse(grant.signed_in_at ?? grant.created_at) / 1_000;
  const installationRole = (grant.installation_role ?? undefined) as InstallationRole | undefined;
  const authTimeS = typeof claims.auth_time === 'number' ? claims.auth_time : undefined;
  const hasPasskey = Array.isArray(claims.amr) && claims.amr.includes(passkeyMethod);
  const isOfProvider = grant.only_company_id !== null;
  const level: Level = claims.acr === '2fa' ? '2fa' : '1fa';
  const subject = {
    user_id: userId,
    client_id: clientId,
    maker_id: grant.maker_id,
    grant_id: grantId,
    scopes,
    identity_scopes: typeof claims.identity_scope === 'string' ? claims.identity_scope.split(' ') : undefined,
    installation_role: installationRole,
    company_ids: companyIds,
  };
  const suspended = grant.suspended_at === null ? {} : { isSuspended: true as const };
  const bound = claims.cnf?.jkt === undefined ? {} : { isBound: true as const };
  return {
    ...subject,
    ...suspended,
    ...bound,
    signedInS,
    expiresAtS,
    auth_time_s: authTimeS,
    level,
    hasPasskey,
    isOfProvider,
  };
}

/** Reads the claims of a token, with keys from the database instead of the network. */
function claimsReader(db: Database, baseUrl: string): ClaimsReader {
  const none = { server: {} as oauth.AuthorizationServer, ids: new Set<string>(), readMs: Number.NEGATIVE_INFINITY };
  let keys = none;
  let changes = 0;
  let body = '';

  const readKeys = async () => {
    const changesBefore = changes;
    const found = await publicKeys(db);
    body = JSON.stringify({ keys: found });
    // The library caches keys by server object: a new object invalidates its cache.
    const server = { issuer: baseUrl, jwks_uri: `${baseUrl}/oauth/jwks` };
    const readMs = changes === changesBefore ? performance.now() : none.readMs; // else they may be stale
    keys = { server, ids: new Set(found.map((key) => key.kid)), readMs };
  };
  const respondWithKeys = async () => new Response(body, { headers: { 'content-type': 'application/jwk-set+json' } });

  const claimsOf = async (token: string, proof?: Proof) => {
    const keyId = keyIdOf(token);
    const ageMs = performance.now() - keys.readMs;
    if (ageMs > keysFreshMs || (!keys.ids.has(keyId) && ageMs > unknownKeyPauseMs)) await readKeys();
    if (!keys.ids.has(keyId)) throw invalid();
    const { url = baseUrl, method = 'GET' } = proof ?? {};
    const request = new Request(url, { method, headers: headersOf(token, proof) });
    const options = {
      [customFetch]: respondWithKeys,
      [oauth.allowInsecureRequests]: true, // makes no request; without it, a base URL with plain http is rejected
      [oauth.clockTolerance]: 0,
      signingAlgorithms: [proofAlgorithm],
    };
    try {
      return await validateJwtAccessToken(keys.server, request, baseUrl, options);
    } catch (error) {
      if (isExpiry(error)) throw unauthorized('token_expired', t`The access token has expired.`, error);
      if (proof) throw invalidProof(error);
      throw claimsBinding(token) ? proofMissing() : invalid(error);
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
  of(token: string, proof?: Proof): Promise<JWTAccessTokenClaims>;
  forgetKeys(): void;
}

/** @throws 401 when the token isn't a signed JWT with a key id */
function keyIdOf(token: string): string {
  if (token.length > maxTokenCharacters || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) throw invalid();
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

function invalid(cause?: unknown) {
  return unauthorized('invalid_token', t`The access token is not valid.`, cause);
}
