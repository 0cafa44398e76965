/** Time limits of SAML assertions, in milliseconds. */

/** How far the clock of a provider may be off. */
export const skewMs = 60_000;
/** How long after it was issued an assertion counts, whatever it says. */
export const mostAgeMs = 15 * 60_000;
