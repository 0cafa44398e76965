/**
 * Limits the structure of JSON before parsing: an object with a million members blocks the parser, and later code, for seconds.
 */
import { type Text, t } from '../../../contract/languages/text.ts';
import { Problem, payloadTooLarge } from '../../../contract/problem.ts';

/**
 * The contract needs at most six levels, 1,000 items (30,000 values without custom fields), and 100 members; small excesses get a
 * field error instead. `plain` limits a run of bytes outside of strings without a comma, because a million digits parse as slowly
 * as a file. The longest string of a field has 8,192 characters, up to 12 bytes each when escaped.
 */
export const jsonLimits = {
  depth: 32,
  members: 200,
  items: 2_000,
  values: 50_000,
  plain: 10_000,
  text_bytes: 100_000,
} as const;

/** From this length a string is handled separately; shorter ones are parsed with the rest. */
const longTextBytes = 65_536;

export interface LongText {
  name: string;
  from: number;
  to: number;
}

interface ExamineOptions {
  /** Members of the root object whose long strings are skipped. */
  separateFields?: readonly string[];
  /** Limit for everything else, in bytes. */
  max_bytes?: number;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const arrayStart = 0x5b;
const backslash = 0x5c;
const arrayEnd = 0x5d;
const objectStart = 0x7b;
const objectEnd = 0x7d;

/**
 * Scans the bytes of JSON in UTF-8. The parser reports invalid JSON.
 * @returns the skipped strings, in order
 * @throws 400 `malformed_json` above `jsonLimits`, 413
 */
export function examineJson(
  bytes: Buffer,
  { separateFields = [], max_bytes: maxBytes = Number.POSITIVE_INFINITY }: ExamineOptions = {},
): LongText[] {
  const counts = new Counts();
  const long: LongText[] = [];
  let skippedBytes = 0;
  let last = 0; // the last structural byte
  let name = '';
  let plain = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) {
      plain = 0;
      const from = at + 1;
      const isValue = last === colon && counts.depth === 1;
      const text = isValue && separateFields.includes(name) ? longText(bytes, name, from) : undefined;
      at = text ? text.to : endOfText(bytes, from, from + maxBytes);
      if (!text && at - from > jsonLimits.text_bytes && at - skippedBytes <= maxBytes) {
        throw limitExceeded(t`The JSON has a text of more than ${jsonLimits.text_bytes} bytes.`);
      }
      if (text) {
        long.push(text);
        skippedBytes += text.to - text.from;
      } else if (separateFields.length > 0 && last !== colon && counts.depth === 1) name = nameAt(bytes, from, at);
    } else if (byte === comma) {
      plain = 0;
      counts.next();
      last = byte;
    } else if (byte === colon) last = byte;
    else if (byte === objectStart || byte === arrayStart) {
      counts.enter(byte);
      last = byte;
    } else if (byte === objectEnd || byte === arrayEnd) counts.leave();
    else if (++plain > jsonLimits.plain) {
      throw limitExceeded(t`The JSON has a number or blanks of more than ${jsonLimits.plain} characters.`);
    }
    if (at - skippedBytes > maxBytes)
      throw payloadTooLarge(t`The request body without its file is larger than ${maxBytes} bytes.`);
  }
  return long;
}

class Counts {
  depth = 0;
  #values = 0;
  /** By depth: how many more values the array or object may have. */
  readonly #remaining = new Int32Array(jsonLimits.depth + 1);
  readonly #isObject = new Uint8Array(jsonLimits.depth + 1);

  enter(bracket: number): void {
    if (++this.depth > jsonLimits.depth) {
      throw limitExceeded(t`The JSON is nested deeper than ${jsonLimits.depth} levels.`);
    }
    const isObject = bracket === objectStart;
    this.#isObject[this.depth] = isObject ? 1 : 0;
    this.#remaining[this.depth] = isObject ? jsonLimits.members : jsonLimits.items;
    this.#count();
  }

  leave(): void {
    if (this.depth > 0) this.depth -= 1;
  }

  next(): void {
    if (--this.#remaining[this.depth]! <= 0 && this.depth > 0) {
      throw this.#isObject[this.depth]
        ? limitExceeded(t`An object of the JSON has more than ${jsonLimits.members} members.`)
        : limitExceeded(t`An array of the JSON has more than ${jsonLimits.items} items.`);
    }
    this.#count();
  }

  #count(): void {
    if (++this.#values > jsonLimits.values) throw limitExceeded(t`The JSON has more than ${jsonLimits.values} values.`);
  }
}

function limitExceeded(text: Text): Problem {
  return new Problem(400, 'malformed_json', text);
}

/** @returns the index of the closing quote; `stop` or the end of the bytes when there is none before */
function endOfText(bytes: Buffer, from: number, stop: number): number {
  const end = Math.min(bytes.length, stop);
  for (let at = from; at < end; at++) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return end;
}

/** Undefined for a short string. Most strings have no escapes, so the native search finds their end. */
function longText(bytes: Buffer, name: string, from: number): LongText | undefined {
  const firstQuote = bytes.indexOf(quote, from);
  if (firstQuote < 0) return undefined;
  const escaped = bytes.subarray(from, firstQuote).indexOf(backslash);
  const to = escaped < 0 ? firstQuote : endOfText(bytes, from + escaped, bytes.length);
  return to - from >= longTextBytes && to < bytes.length ? { name, from, to } : undefined;
}

/** The relevant names are short, and clients don't escape them. */
function nameAt(bytes: Buffer, from: number, to: number): string {
  return to - from <= 64 ? bytes.toString('latin1', from, to) : '';
}
