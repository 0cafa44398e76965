/** What is stored of a receiver's answer. */
import { maskedValue } from '../webhooks/subscriptions/stored-headers.ts';
import type { Header } from '../webhooks/subscriptions/webhook-headers.ts';
import { masked } from './hidden-texts.ts';

/** How much of a body is read. What comes after that is not waited for. */
const readBytes = 16_384;

/** How much of a body is kept. */
const keptBytes = 1_024;

/** How much is looked at behind that, so that what is hidden is found where it begins before and ends behind. */
const moreBytes = 8_192;

/** The longest wait that a receiver can ask for: a day. */
const maxRetryAfterS = 86_400;

/** Collects the beginning of a body. */
export class Excerpt {
  #chunks: Buffer[] = [];
  #kept = 0;
  #seen = 0;

  /** @returns whether more is wanted */
  add(chunk: Buffer): boolean {
    this.#seen += chunk.length;
    const room = keptBytes + moreBytes - this.#kept;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#chunks.push(part);
      this.#kept += part.length;
    }
    return this.#seen <= readBytes;
  }

  /**
   * As text: what is not UTF-8 is replaced, and NUL, which the database can't store, is left out.
   * @param hidden is masked wherever it stands
   */
  text(hidden: readonly string[]): string {
    if (this.#kept === 0) return '';
    const bytes = Buffer.concat(this.#chunks);
    const beginning = decoded(bytes.subarray(0, keptBytes), this.#seen > keptBytes);
    return masked(decoded(bytes, this.#seen > this.#kept), hidden, beginning.length);
  }
}

/** @param isCut whether there was more: a character that was cut off is left out then */
function decoded(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '');
}

/** The form of dates in HTTP (RFC 9110, 5.6.7). */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How many seconds `Retry-After` asks to wait; null when it is not there or makes no sense. */
export function retryAfter(value: string | undefined, nowMs = Date.now()): number | null {
  if (value === undefined) return null;
  let waitS: number;
  if (/^\d+$/.test(value)) waitS = Number(value);
  else if (httpDate.test(value)) waitS = Math.ceil((Date.parse(value) - nowMs) / 1_000);
  else return null;
  if (Number.isNaN(waitS)) return null;
  return Math.min(Math.max(waitS, 0), maxRetryAfterS);
}

/** How many headers of an answer are kept, how long each value may be, and how long all of it together. */
const mostHeaders = 40;
const mostValueCharacters = 512;
const mostCharacters = 4_096;

/** Names of headers whose values are for the receiver's own clients, and often open a door. */
const secretNames = /cookie|authorization|token|secret|passw|credential|session|signature|api-?key/i;

/**
 * The first headers of an answer, in their order and spelling. Values that may be secret are masked, long ones are cut.
 * @param raw names and values in turn, as they came
 * @param hidden is masked wherever it stands
 */
export function keptHeaders(raw: readonly string[], hidden: readonly string[]): Header[] {
  const kept: Header[] = [];
  let characters = 0;
  for (let at = 0; at < raw.length && kept.length < mostHeaders; at += 2) {
    const [name, value] = [raw[at]!.slice(0, mostValueCharacters), raw[at + 1]!];
    const shown = secretNames.test(name)
      ? maskedValue
      : masked(value, hidden, Math.min(value.length, mostValueCharacters));
    characters += name.length + shown.length;
    if (characters > mostCharacters) break;
    kept.push([name, shown]);
  }
  return kept;
}
