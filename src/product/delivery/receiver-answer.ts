/** What is stored of a receiver's answer. */
import { masked_value } from '../webhooks/stored-headers.ts';
import type { Header } from '../webhooks/webhook-headers.ts';
import { masked } from './hidden-texts.ts';

/** How much of a body is read. What comes after that is not waited for. */
const read_bytes = 16_384;

/** How much of a body is kept. */
const kept_bytes = 1_024;

/** How much is looked at behind that, so that what is hidden is found where it begins before and ends behind. */
const more_bytes = 8_192;

/** The longest wait that a receiver can ask for: a day. */
const max_retry_after_s = 86_400;

/** Collects the beginning of a body. */
export class Excerpt {
  #chunks: Buffer[] = [];
  #kept = 0;
  #seen = 0;

  /** @returns whether more is wanted */
  add(chunk: Buffer): boolean {
    this.#seen += chunk.length;
    const room = kept_bytes + more_bytes - this.#kept;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#chunks.push(part);
      this.#kept += part.length;
    }
    return this.#seen <= read_bytes;
  }

  /**
   * As text: what is not UTF-8 is replaced, and NUL, which the database can't store, is left out.
   * @param hidden is masked wherever it stands
   */
  text(hidden: readonly string[]): string {
    if (this.#kept === 0) return '';
    const bytes = Buffer.concat(this.#chunks);
    const beginning = decoded(bytes.subarray(0, kept_bytes), this.#seen > kept_bytes);
    return masked(decoded(bytes, this.#seen > this.#kept), hidden, beginning.length);
  }
}

/** @param is_cut whether there was more: a character that was cut off is left out then */
function decoded(bytes: Buffer, is_cut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: is_cut }).replaceAll('\0', '');
}

/** The form of dates in HTTP (RFC 9110, 5.6.7). */
const http_date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How many seconds `Retry-After` asks to wait; null when it is not there or makes no sense. */
export function retryAfter(value: string | undefined, now_ms = Date.now()): number | null {
  if (value === undefined) return null;
  let wait_s: number;
  if (/^\d+$/.test(value)) wait_s = Number(value);
  else if (http_date.test(value)) wait_s = Math.ceil((Date.parse(value) - now_ms) / 1_000);
  else return null;
  if (Number.isNaN(wait_s)) return null;
  return Math.min(Math.max(wait_s, 0), max_retry_after_s);
}

/** How many headers of an answer are kept, how long each value may be, and how long all of it together. */
const most_headers = 40;
const most_value_characters = 512;
const most_characters = 4_096;

/** Names of headers whose values are for the receiver's own clients, and often open a door. */
const secret_names = /cookie|authorization|token|secret|passw|credential|session|signature|api-?key/i;

/**
 * The first headers of an answer, in their order and spelling. Values that may be secret are masked, long ones are cut.
 * @param raw names and values in turn, as they came
 * @param hidden is masked wherever it stands
 */
export function keptHeaders(raw: readonly string[], hidden: readonly string[]): Header[] {
  const kept: Header[] = [];
  let characters = 0;
  for (let at = 0; at < raw.length && kept.length < most_headers; at += 2) {
    const [name, value] = [raw[at]!.slice(0, most_value_characters), raw[at + 1]!];
    const shown = secret_names.test(name)
      ? masked_value
      : masked(value, hidden, Math.min(value.length, most_value_characters));
    characters += name.length + shown.length;
    if (characters > most_characters) break;
    kept.push([name, shown]);
  }
  return kept;
}
