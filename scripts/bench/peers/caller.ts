// Caller lookup for the peers: verifies a token once, caches it, and loads the user's membership.
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type pg from 'pg';
import { statements } from './statements.ts';

export interface Caller {
  id: string;
  role: string;
  user_id: string;
}

interface CallerHeaders {
  authorization?: string | undefined;
  'x-company-id'?: unknown;
}

/** @returns undefined for an invalid token */
type CallerOf = (headers: CallerHeaders) => Promise<Caller | undefined>;

/** @param verified whether to verify the token, rather than only decode it */
export function callers(pool: pg.Pool, verified = true): CallerOf {
  const issuer = process.env.ISSUER!;
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));
  const known = new Map<string, { ends_s: number; caller: Caller }>();
  const payloadOf = async (token: string): Promise<JWTPayload> => {
    if (!verified) return decodeJwt(token);
    return (await jwtVerify(token, keys, { issuer, audience: issuer })).payload;
  };
  return async ({ authorization, 'x-company-id': companyId }) => {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
    const found = known.get(token);
    if (found) return found.ends_s * 1_000 > Date.now() ? found.caller : undefined;
    const { sub, exp } = await payloadOf(token);
    const { rows } = await pool.query({ text: statements.member, values: [companyId, sub] });
    const caller = { ...rows[0], user_id: sub };
    known.set(token, { ends_s: exp!, caller });
    return caller;
  };
}
