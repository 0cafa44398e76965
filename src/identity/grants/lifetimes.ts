/** Default lifetimes of access, in seconds. */

const dayS = 86_400;

/** From the sign-in, regardless of activity: a working day. */
export const sessionLifetimeS = dayS / 2;

/** An unused refresh token. */
export const refreshIdleS = 30 * dayS;

/** A grant, however often it is refreshed. */
export const refreshTotalS = 180 * dayS;

/** An installation ends by revocation or an unused refresh token; this is effectively unlimited. */
export const installationS = 36_500 * dayS;
