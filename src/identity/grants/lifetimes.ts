/** How long access lasts that nobody ends, in seconds. */

const dayS = 86_400;

/** From the sign-in on, however often the session is used: a day of work. */
export const sessionLifetimeS = dayS / 2;

/** A refresh token that nobody uses. */
export const refreshIdleS = 30 * dayS;

/** A grant, whatever is refreshed. */
export const refreshTotalS = 180 * dayS;

/** An installation ends when somebody ends it, or when its refresh token is not used: this is longer than anybody waits. */
export const installationS = 36_500 * dayS;
