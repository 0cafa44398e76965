/** How strongly a user signed in: methods (`amr`, RFC 8176) and level (`acr`), in each access token (RFC 9068, section 2.2.1). */

/** One factor, or two: a password with something else, or a passkey, which counts as two. */
export type Level = '1fa' | '2fa';

/** The `acr_values_supported` of the metadata. */
export const levels: readonly Level[] = ['1fa', '2fa'];

const twoFactors = 'mfa';
/** Proof of possession of a key. */
export const passkeyMethod = 'pop';

export const methods = {
  password: ['pwd'],
  /** With a code from an app or a recovery code. */
  code: ['pwd', 'otp', twoFactors],
  passwordAndPasskey: ['pwd', passkeyMethod, 'user', twoFactors],
  passkey: [passkeyMethod, 'user', twoFactors],
  /** The company's identity provider, for which RFC 8176 has no name. */
  provider: ['fed'],
  /** The same, if the provider's two factors count. */
  providerWithTwo: ['fed', twoFactors],
} as const;

/** @param amr of a session or token; undefined in those that predate second factors */
export function levelOf(amr: readonly string[] | undefined): Level {
  return amr?.includes(twoFactors) ? '2fa' : '1fa';
}

/** @param acrValues of an authorization request: alternative levels; unknown ones are ignored */
export function requiresTwoFactors(acrValues: unknown): boolean {
  const requested = typeof acrValues === 'string' ? acrValues.split(' ') : [];
  return requested.includes('2fa') && !requested.includes('1fa');
}

/** Step-up requirements (RFC 9470). */
export interface StepUp {
  /** Alternative levels, separated by spaces. */
  acr_values: string;
  /** Seconds. */
  max_age: number;
}
