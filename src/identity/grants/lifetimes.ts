/** How long access lasts that nobody ends, in seconds. */

const day_s = 86_400;

/** From the sign-in on, however often the session is used: a day of work. */
export const session_lifetime_s = day_s / 2;

/** A refresh token that nobody uses. */
export const refresh_idle_s = 30 * day_s;

/** A grant, whatever is refreshed. */
export const refresh_total_s = 180 * day_s;

/** An installation ends when somebody ends it, or when its refresh token is not used: this is longer than anybody waits. */
export const installation_s = 36_500 * day_s;
