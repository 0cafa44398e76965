/** Time limits of SAML assertions, in milliseconds. */

/** Tolerance for the clock of a provider. */
export const skewMs = 60_000;
/** Maximum age of an assertion, whatever it says itself. */
export const maxAgeMs = 15 * 60_000;
