/**
 * Finds the constraint that an error is about, on a single Postgres or a Citus cluster.
 *
 * On a cluster, the name is that of a shard's constraint (`collaborators_email_key_102044`), and Citus doesn't pass on the error
 * field with the name. So the message is searched too, which contains only names in any language: the values are in the detail.
 */

/** SQLSTATE class 23: integrity constraint violation. */
const violation = /^23[0-9A-Z]{3}$/;
/** SQLSTATE `internal_error`. */
const internalError = 'XX000';

/** @param error any thrown value @param constraint its name in the migrations */
export function isBroken(error: unknown, constraint: string): boolean {
  const {
    code,
    message,
    constraint: reported,
  } = (error ?? {}) as { code?: unknown; message?: unknown; constraint?: unknown };
  if (code === internalError) return namedIn(message, `${constraint}_\\d+`);
  if (typeof code !== 'string' || !violation.test(code)) return false;
  return namedIn(typeof reported === 'string' ? reported : message, `${constraint}(?:_\\d+)?`);
}

/** Whether the text contains the name as a whole word. */
function namedIn(text: unknown, pattern: string): boolean {
  return typeof text === 'string' && new RegExp(`(?<!\\w)${pattern}(?!\\w)`).test(text);
}
