/**
 * Reads the shared texts of an xls workbook ([MS-XLS] 2.4.265 and 2.5.293), which span one record and its continuations; a text
 * may change its character width at a boundary. The package checks for a boundary at every character, which takes minutes for a
 * large file: here they are read in one pass.
 */
import { t } from '../../../contract/languages/text.ts';
import { damaged, SheetError } from '../model/error.ts';

/** @param parts the content of the record and its continuations */
export function sharedTexts(parts: readonly Buffer[]): string[] {
  const texts: string[] = [];
  const reader = new PartsReader(parts);
  reader.skip(4); // the number of references
  const count = reader.number(4); // may be wrong
  while (reader.hasMore()) {
    try {
      texts.push(nextText(reader));
    } catch (error) {
      if (texts.length < count || !(error instanceof SheetError)) throw error;
      break; // trailing garbage is possible
    }
  }
  return texts;
}

function nextText(reader: PartsReader): string {
  const chars = reader.number(2);
  const flags = reader.number(1);
  const runs = (flags & 8) === 0 ? 0 : reader.number(2);
  const extraBytes = (flags & 4) === 0 ? 0 : reader.number(4);
  const text = reader.text(chars, (flags & 1) === 1);
  reader.skip(4 * runs + extraBytes);
  return text;
}

const emptyPart = Buffer.alloc(0);

class PartsReader {
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at = 0;

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
  }

  hasMore(): boolean {
    while (this.#part < this.#parts.length && this.#at >= this.#parts[this.#part]!.length) this.#turn();
    return this.#part < this.#parts.length;
  }

  /** Little-endian. */
  number(bytes: number): number {
    let value = 0;
    for (let byte = 0; byte < bytes; byte++) {
      value += this.#current()[this.#at]! * 256 ** byte;
      this.#at++;
    }
    return value;
  }

  skip(bytes: number): void {
    for (let remaining = bytes; remaining > 0; ) {
      const step = Math.min(remaining, this.#current().length - this.#at);
      this.#at += step;
      remaining -= step;
    }
  }

  /** At a boundary, the next part starts with the new character width. */
  text(chars: number, isWide: boolean): string {
    let text = '';
    let width = isWide ? 2 : 1;
    while (text.length < chars) {
      const part = this.#parts[this.#part] ?? emptyPart; // may end exactly here: the next part starts with its width
      const count = Math.min(chars - text.length, Math.floor((part.length - this.#at) / width));
      const end = this.#at + count * width;
      text += part.toString(width === 2 ? 'utf16le' : 'latin1', this.#at, end);
      this.#at = end;
      if (text.length === chars) break;
      this.#turn();
      width = (this.number(1) & 1) + 1;
    }
    return text;
  }

  #current(): Buffer {
    if (!this.hasMore()) throw damaged(t`its texts end too early`);
    return this.#parts[this.#part]!;
  }

  #turn(): void {
    this.#part++;
    this.#at = 0;
  }
}
