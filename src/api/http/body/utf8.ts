/** Requires UTF-8: otherwise replacement characters would be stored in place of the intended text. */
import { t } from '../../../contract/languages/text.ts';
import { problemWithErrors } from '../../../contract/problem.ts';

const strict = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(bytes: Uint8Array): string {
  return strict.decode(bytes);
}

/** A lenient decoder replaces invalid UTF-8 with U+FFFD. */
export function hasReplacements(text: string): boolean {
  return text.includes('\ufffd');
}

/** For a query or a form. A `%` that encodes nothing stands for itself (WHATWG URL). */
function isUtf8Encoded(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** @throws TypeError for a form whose bytes, or percent-encoded bytes, aren't UTF-8 */
export function requireUtf8Form(bytes: Uint8Array): void {
  if (!isUtf8Encoded(decodeUtf8(bytes))) throw new TypeError('the form is not valid UTF-8');
}

/** @throws 400 `invalid_parameter` */
export function requireUtf8Query(url: string): void {
  const start = url.indexOf('?');
  if (start >= 0 && !isUtf8Encoded(url.slice(start + 1))) {
    const message = t`The query is not valid UTF-8.`;
    throw problemWithErrors(400, 'invalid_parameter', message, { query: [{ code: 'invalid_format', message }] });
  }
}

/** Lone surrogates: JSON escapes can produce them, and UTF-8 can't encode them. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

export function isWellFormedJson(text: string, value: unknown): boolean {
  return !surrogateEscape.test(text) || isWellFormed(value);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each));
}
