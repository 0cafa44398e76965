/** What is stored of a receiver's answer. */

/** How much of a body is read. What comes after that is not waited for. */
const read_bytes = 16_384;

/** How much of a body is kept. */
const kept_bytes = 1_024;

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
    if (this.#kept < kept_bytes) {
      const part = chunk.subarray(0, kept_bytes - this.#kept);
      this.#chunks.push(part);
      this.#kept += part.length;
    }
    return this.#seen <= read_bytes;
  }

  /** As text: what is not UTF-8 is replaced, and NUL, which the database can't store, is left out. */
  text(): string {
    if (this.#kept === 0) return '';
    // With `stream`, a character that was cut off is left out.
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: this.#seen > this.#kept });
    return text.replaceAll('\0', '');
  }
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
