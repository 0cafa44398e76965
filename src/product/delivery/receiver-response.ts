/** The stored part of a receiver's response. */
import { maskedValue } from '../webhooks/subscriptions/stored-headers.ts';
import type { Header } from '../webhooks/subscriptions/webhook-headers.ts';
import { masked } from './secret-masking.ts';

/** Bytes of a body to read; the rest isn't awaited. */
const readBytes = 16_384;

/** Bytes of a body to store. */
const storedBytes = 1_024;

/** Bytes inspected beyond that, to mask secrets that cross the boundary. */
const moreBytes = 8_192;

/** The longest wait a receiver can request: a day. */
const maxRetryAfterS = 86_400;

export class Excerpt {
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #receivedBytes = 0;

  add(chunk: Buffer): boolean {
    this.#receivedBytes += chunk.length;
    const room = storedBytes + moreBytes - this.#bufferedBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#chunks.push(part);
      this.#bufferedBytes += part.length;
    }
    return this.#receivedBytes <= readBytes;
  }

  /** Replaces invalid UTF-8, and removes NUL, which the database can't store. */
  text(hidden: readonly string[]): string {
    if (this.#bufferedBytes === 0) return '';
    const bytes = Buffer.concat(this.#chunks);
    const beginning = decoded(bytes.subarray(0, storedBytes), this.#receivedBytes > storedBytes);
    return masked(decoded(bytes, this.#receivedBytes > this.#bufferedBytes), hidden, beginning.length);
  }
}

/** @param isCut whether the text was truncated; a partial character is then dropped */
function decoded(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '');
}

/** HTTP date (RFC 9110, 5.6.7). */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds of `Retry-After`; null if missing or invalid. */
export function retryAfter(value: string | undefined, nowMs = Date.now()): number | null {
  if (value === undefined) return null;
  let waitS: number;
  if (/^\d+$/.test(value)) waitS = Number(value);
  else if (httpDate.test(value)) waitS = Math.ceil((Date.parse(value) - nowMs) / 1_000);
  else return null;
  if (Number.isNaN(waitS)) return null;
  return Math.min(Math.max(waitS, 0), maxRetryAfterS);
}

/** Limits for stored headers: number, value length, and total length. */
const maxHeaders = 40;
const maxValueCharacters = 512;
const maxCharacters = 4_096;

/** Names of headers whose values may be credentials of the receiver's clients. */
const secretNames = /cookie|authorization|token|secret|passw|credential|session|signature|api-?key/i;

/** The first response headers in order and spelling. Possible secrets are masked, long values truncated. */
export function storableHeaders(raw: readonly string[], hidden: readonly string[]): Header[] {
  const storable: Header[] = [];
  let characters = 0;
  for (let at = 0; at < raw.length && storable.length < maxHeaders; at += 2) {
    const [name, value] = [raw[at]!.slice(0, maxValueCharacters), raw[at + 1]!];
    const safeValue = secretNames.test(name)
      ? maskedValue
      : masked(value, hidden, Math.min(value.length, maxValueCharacters));
    characters += name.length + safeValue.length;
    if (characters > maxCharacters) break;
    storable.push([name, safeValue]);
  }
  return storable;
}
