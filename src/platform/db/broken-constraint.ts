/**
 * Finds the constraint that an error is about, on a single Postgres or a Citus cluster.
 *
 * Postgres names it in a field of the error. On a cluster, the name is that of a shard's constraint and ends in the shard's
 * number (`collaborators_email_key_102044`); and Citus passes on the message and code of another machine's error, but not that
 * field. So the message is searched too. It is safe in any language, because it contains only names: the values are in the
 * detail.
 */

/** SQLSTATE class 23: integrity constraint violation. */
const violation = /^23[0-9A-Z]{3}$/;
/** SQLSTATE `internal_error`. */
const passedOn = 'XX000';

/**
 * @param error any thrown value
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

/** Whether the text contains the name as a whole word. */
function namedIn(text: unknown, pattern: string): boolean {
  return typeof text === 'string' && new RegExp(`(?<!\\w)${pattern}(?!\\w)`).test(text);
}
