/**
 * Which constraint a statement was refused for, from an error of one Postgres or of a Citus cluster.
 *
 * Postgres tells it in a field of the error. On a cluster it is the constraint of a part of the table, whose name ends in the
 * number of that part (`collaborators_email_key_102044`); and where another machine refused, Citus passes on its message and
 * code, but not that field. So the name is also looked for in the message, which has nothing in it but names, in whatever
 * language it is: the values are in the detail.
 */

/** SQLSTATE, class 23: integrity constraint violation. */
const violation = /^23[0-9A-Z]{3}$/;
/** SQLSTATE `internal_error`. */
const passedOn = 'XX000';

/**
 * @param error anything that was thrown
 * @param constraint its name in the migrations
 */
export function isBroken(error: unknown, constraint: string): boolean {
  const {
    code,
    message,
    constraint: told,
  } = (error ?? {}) as { code?: unknown; message?: unknown; constraint?: unknown };
  if (code === passedOn) return namedIn(message, `${constraint}_\\d+`);
  if (typeof code !== 'string' || !violation.test(code)) return false;
  return namedIn(typeof told === 'string' ? told : message, `${constraint}(?:_\\d+)?`);
}

/** Whether a text has the name in it as a whole. */
function namedIn(text: unknown, pattern: string): boolean {
  return typeof text === 'string' && new RegExp(`(?<!\\w)${pattern}(?!\\w)`).test(text);
}
