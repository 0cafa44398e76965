/** Removes personal data from errors for the log and the queue: databases, mail servers, and stores quote their input. */
import { types } from 'node:util';

/** Logged beside the message and stack. Other fields may hold data, such as rows, addresses, or responses. */
const loggedFields = [
  'code',
  'severity',
  'constraint',
  'schema',
  'table',
  'column',
  'routine',
  'errno',
  'syscall',
  'port',
  'status',
  'statusCode',
] as const;

interface LoggedError {
  type: string;
  message: string;
  stack: string | undefined;
  cause?: LoggedError;
  errors?: LoggedError[];
  [field: string]: unknown;
}

const deepestCause = 5;

export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!types.isNativeError(error))
    return { type: typeof error, message: sanitizeError(String(error)), stack: undefined };
  const { name, message, stack, cause } = error;
  const fields = error as unknown as Record<string, unknown>;
  const extraFields = loggedFields.flatMap((field) =>
    isPlain(fields[field]) ? [[field, fields[field]] as const] : [],
  );
  const sanitized = messageOf(message, fields.code);
  return {
    type: name,
    message: sanitized,
    stack: stack === undefined ? undefined : sanitizeError(stack.replace(message, () => sanitized)),
    ...Object.fromEntries(extraFields),
    ...(cause !== undefined && depth < deepestCause && { cause: loggedError(cause, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, 10).map((each) => loggedError(each, depth + 1)),
    }),
  };
}

/** The same as an Error, for code that stores its message. */
export function redactAddresses(error: unknown): Error {
  const { type, message, stack } = loggedError(error);
  return Object.assign(new Error(message), { name: type, stack });
}

/** Removes email addresses from a text. */
export function sanitizeError(text: string): string {
  return text.replaceAll(addresses, '<address>');
}

/** Linear on long input: nothing left of the @ can match in two ways. */
const addresses = /[^\s<>()[\]"',;:@/\\]{1,256}@[^\s<>()[\]"',;:@/\\]{1,256}/g;

/** Data exceptions (SQLSTATE class 22) quote the invalid value. */
function messageOf(message: string, code: unknown): string {
  const quotesData = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
  return sanitizeError(quotesData ? message.replaceAll(/"(?:[^"]|"")*"/g, '"…"') : message);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= 200 : typeof value === 'number';
}
