/** Problems: the errors that clients receive, with a translated text. The `cause` is only logged and never sent. */
import { types } from 'node:util';
import type { components } from '../../generated/api.ts';
import { defaultLanguage, type Language } from './languages/language.ts';
import { inLanguage, sentences, type Text, t, tn } from './languages/text.ts';

export type ErrorCode = components['schemas']['ErrorCode'];
/** The contract's type with an untranslated message. */
export type FieldError = Omit<components['schemas']['FieldError'], 'message'> & { message: Text };
export type FieldErrors = Record<string, FieldError[]>;

export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly code: ErrorCode;
  readonly text: Text;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ErrorCode,
    text: Text,
    more: { details?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(String(text), { cause: more.cause });
    this.status = status;
    this.code = code;
    this.text = text;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }

  /** The contract's `ApiError`. */
  body(language: Language = defaultLanguage): ProblemBody {
    const { code: error, text: message, details } = this;
    return inLanguage(details ? { error, message, details } : { error, message }, language);
  }
}

interface ProblemBody {
  error: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

/** The highest number of errors in one response. */
export const maxErrors = 100;
/** The highest size of their list, so that no error response exceeds 64 KiB. */
const maxErrorBytes = 48 * 1024;

export function validationError(errors: FieldErrors, most = maxErrors): Problem {
  const { details, left_out: leftOut } = listed(errors, most);
  const fields = Object.keys(details).length;
  const message = leftOut
    ? t`The request has more errors than are listed: details_truncated after the first ${errorsIn(details)}.`
    : tn(
        fields,
        t`The request has a field that is not valid.`,
        t`The request has ${fields} fields that are not valid.`,
      );
  return new Problem(400, 'validation_error', message, { details });
}

/** A problem with a list of errors that isn't a validation error. @param text extended by a note if errors are omitted */
export function problemWithErrors(status: number, code: ErrorCode, text: Text, errors: FieldErrors): Problem {
  const { details, left_out: leftOut } = listed(errors, maxErrors);
  const note = t`There are more: details_truncated after the first ${errorsIn(details)}.`;
  return new Problem(status, code, leftOut ? sentences(text, note) : text, { details });
}

/** Truncates the errors to the limits of a response. */
function listed(errors: FieldErrors, most: number): { details: FieldErrors; left_out: boolean } {
  const details: [string, FieldError[]][] = [];
  let count = 0;
  let bytes = 0;
  for (const [field, found] of Object.entries(errors)) {
    count += found.length;
    bytes += Buffer.byteLength(JSON.stringify([field, found]));
    if (count > most || bytes > maxErrorBytes) return { details: Object.fromEntries(details), left_out: true };
    details.push([field, found]);
  }
  return { details: Object.fromEntries(details), left_out: false };
}

function errorsIn(details: FieldErrors): number {
  return Object.values(details).reduce((sum, { length }) => sum + length, 0);
}

/** @param text names the limit */
export function payloadTooLarge(text: Text): Problem {
  return new Problem(413, 'payload_too_large', text);
}

/** Identical for records that don't exist, are out of reach, or belong to another company. */
export function notFound(): Problem {
  return new Problem(404, 'not_found', t`There is no such resource.`);
}

/** For `If-None-Match: *`. */
export function existsAlready(): Problem {
  return new Problem(412, 'precondition_failed', t`This already exists, and If-None-Match asks only to create it.`);
}

export function methodNotAllowed(allowed: string[]): Problem {
  return new Problem(405, 'method_not_allowed', t`This path supports ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

/** @param code `unauthorized` without a token; `invalid_token` or `token_expired` with one (RFC 6750, section 3.1) */
export function unauthorized(
  code: 'unauthorized' | 'invalid_token' | 'token_expired',
  text: Text,
  cause?: unknown,
): Problem {
  const challenge =
    code === 'unauthorized'
      ? 'Bearer realm="collaborator-api"'
      : `Bearer realm="collaborator-api", error="invalid_token", error_description="${text}"`;
  return new Problem(401, code, text, { headers: { 'WWW-Authenticate': challenge }, cause });
}

/** @param text why; `details` and the challenge contain the parameters for signing in again (RFC 9470, section 3) */
export function insufficientAuthentication(
  text: Text,
  requirements: { acr_values: string; max_age?: number },
): Problem {
  const { acr_values: acrValues, max_age: maxAge } = requirements;
  const challenge = [
    'Bearer realm="collaborator-api"',
    'error="insufficient_user_authentication"',
    `error_description="${text}"`,
    `acr_values="${acrValues}"`,
    ...(maxAge === undefined ? [] : [`max_age="${maxAge}"`]),
  ];
  const headers = { 'WWW-Authenticate': challenge.join(', ') };
  return new Problem(401, 'insufficient_user_authentication', text, { details: { ...requirements }, headers });
}

export function insufficientScope(requiredScopes: string[]): Problem {
  const challenge = `Bearer realm="collaborator-api", error="insufficient_scope", scope="${requiredScopes.join(' ')}"`;
  return new Problem(403, 'insufficient_scope', t`The access token lacks a scope that this operation needs.`, {
    details: { required_scopes: requiredScopes },
    headers: { 'WWW-Authenticate': challenge },
  });
}

/** @param requiredRole the lowest role that is allowed */
export function forbidden(requiredRole: 'admin' | 'manager'): Problem {
  return new Problem(403, 'forbidden', t`Your role in this company does not allow this operation.`, {
    details: { required_role: requiredRole },
  });
}

/** @param retryAfterS when the client may retry, in seconds */
export function serviceUnavailable(cause: unknown, retryAfterS = 5): Problem {
  return new Problem(503, 'service_unavailable', t`The service can't respond right now. Try again soon.`, {
    headers: { 'Retry-After': String(retryAfterS) },
    cause,
  });
}

/** Load shedding. Not logged as an error, because there may be thousands. */
export class Overload extends Error {
  override name = 'Overload';
}

/** Rejects a request so that earlier ones can finish. */
export function overloaded(): Problem {
  return serviceUnavailable(new Overload('the process is at its limit of concurrent requests'), 1);
}

export function internalError(cause: unknown): Problem {
  return new Problem(500, 'internal_error', t`Something went wrong on our side.`, { cause });
}

/** Maps any thrown value to the problem for the client. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Overload) return serviceUnavailable(error, 1);
  return isUnavailable(error) ? serviceUnavailable(error) : internalError(error);
}

/** read_only_sql_transaction: a standby, or a read-only database. After a failover, writes work again. */
const readOnly = '25006';

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT', // a missing Unix socket
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '28000', // invalid_authorization_specification: a login that is being changed
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name: a database that is being restored
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '57P04', // database_dropped
  '57P05', // idle_session_timeout
  '25P04', // transaction_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57014', // query_canceled: it took too long
  '55P03', // lock_not_available
  '25P03', // idle_in_transaction_session_timeout
  '40P01', // deadlock_detected: nothing was written, so a retry works
  '40001', // serialization_failure
  readOnly,
]);

/** Whether the database is unreachable or overloaded, as opposed to rejecting a statement. */
export function isUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  const code = 'code' in error ? String(error.code) : '';
  if (unavailableCodes.has(code) || code.startsWith('08') || isStalePlan(error) || isLostMachine(error)) return true;
  return /^Connection terminated|timeout exceeded when trying to connect|^Client has encountered a connection error/.test(
    error.message,
  );
}

/**
 * Whether a prepared statement is stale because a column's type has changed. Detected by the Postgres routine: the code is
 * generic and the message localized.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * Whether a machine of a Citus cluster was lost in a transaction. Citus reports it as an internal error: from its connection
 * management, or when it relays an empty error of the machine. Real errors of a machine name a shard, as in
 * `collaborators_email_key_102044`.
 */
function isLostMachine(error: Error): boolean {
  const { code, file, routine } = error as { code?: unknown; file?: unknown; routine?: unknown };
  if (code !== 'XX000') return false;
  if (routine === 'ReportResultError') return !/[a-z]_\d+/.test(error.message);
  return file === 'remote_transaction.c' || file === 'placement_connection.c';
}

/** Whether a write was attempted on a read-only server. */
export function isReadOnly(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === readOnly;
}
