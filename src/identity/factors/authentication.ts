/**
 * How strongly somebody signed in: the methods (`amr`, by the names of RFC 8176) and the level that follows from them (`acr`).
 * A session keeps the methods, and each access token says both (RFC 9068, section 2.2.1).
 */

/** A password alone, or two factors: a password with something else, or a passkey, which is two by itself. */
export type Level = '1fa' | '2fa';

/** The `acr_values_supported` of the metadata. */
export const levels: readonly Level[] = ['1fa', '2fa'];

const twoFactors = 'mfa';
/** Proof of possession of a key. */
export const passkeyMethod = 'pop';

/** The methods of each way in. */
export const methods = {
  password: ['pwd'],
  /** With a code, of an app or from paper. */
  code: ['pwd', 'otp', twoFactors],
  /** A password, then a passkey. */
  passwordAndPasskey: ['pwd', passkeyMethod, 'user', twoFactors],
  passkey: [passkeyMethod, 'user', twoFactors],
  /** By the identity provider of a company, which RFC 8176 has no name for. */
  provider: ['fed'],
  /** The same, where two factors of the provider count. */
  providerWithTwo: ['fed', twoFactors],
} as const;

/** @param amr of a session or token; those from before there were second factors have none */
export function levelOf(amr: readonly string[] | undefined): Level {
  return amr?.includes(twoFactors) ? '2fa' : '1fa';
}

/** @param acr_values of an authorization request: levels, any of which will do; unknown ones ask for nothing */
export function asksForTwo(acrValues: unknown): boolean {
  const asked = typeof acrValues === 'string' ? acrValues.split(' ') : [];
  return asked.includes('2fa') && !asked.includes('1fa');
}

/** What is asked for beyond the sign-in that there was (RFC 9470). */
export interface StepUp {
  /** Levels, any of which will do, with spaces between them. */
  acr_values: string;
  /** Seconds. */
  max_age: number;
}
