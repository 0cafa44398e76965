/** Logout tokens of providers (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
import { type JWTVerifyGetKey, jwtVerify } from 'jose';

/** Of one session (`sid`), of one person (`sub`), or of one session of one person. */
export interface Logout {
  jti: string;
  sub: string | undefined;
  sid: string | undefined;
}

interface Expected {
  issuer: string;
  client_id: string;
  keys: JWTVerifyGetKey;
}

const event = 'http://schemas.openid.net/event/backchannel-logout';
/** Asymmetric only: everyone with a client secret could sign people out. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Recommended since the final specification; before it, tokens had no type or the general one. */
const types = ['logout+jwt', 'application/logout+jwt', 'jwt'];
const maxAgeS = 600;
/** Tolerance for the clock of a provider. */
export const skewS = 60;
/** How long a token may be accepted, and so its `jti` must be remembered. */
export const logoutTokenMs = (maxAgeS + 2 * skewS) * 1_000;

/** @throws for an invalid token */
export async function verifyLogoutToken(
  token: string,
  { issuer, client_id: audience, keys }: Expected,
): Promise<Logout> {
  const expected = { issuer, audience, algorithms, maxTokenAge: maxAgeS, clockTolerance: skewS };
  const { payload, protectedHeader } = await jwtVerify(token, keys, expected);
  const { jti, sub, sid, events } = payload;
  if (protectedHeader.typ && !types.includes(protectedHeader.typ.toLowerCase())) throw new Error('not a logout token');
  // An ID token has these in reverse.
  if ('nonce' in payload) throw new Error('the token has a nonce');
  if (!isObject(events) || !isObject(events[event])) throw new Error('the token has no logout event');
  if (typeof jti !== 'string' || jti === '') throw new Error('the token has no jti');
  if (sub === undefined && sid === undefined) throw new Error('the token has neither sub nor sid');
  return { jti, sub: optionalText(sub), sid: optionalText(sid) };
}

/** Postgres stores no NUL. */
function optionalText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.includes('\0'))
    throw new Error('sub or sid is not a valid string');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
