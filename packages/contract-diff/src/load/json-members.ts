// Locates members in JSON text on demand; a node is its start offset. The text was parsed before, so it is valid JSON (or YAML
// flow style, where only JSON-like parts are found).

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

type Found = ReadonlyMap<string, { readonly start: number; readonly node: number }>;

export class JsonMembers {
  readonly top: number | undefined;
  readonly #text: string;
  readonly #known = new Map<number, Found>();

  constructor(text: string) {
    this.#text = text;
    const start = text.search(/[{[]/);
    this.top = start === -1 ? undefined : start;
  }

  /** Start of a member (at its key) and its node; undefined if missing. */
  member(node: number, key: string): { readonly start: number; readonly node: number } | undefined {
    let members = this.#known.get(node);
    if (members === undefined) {
      members = this.#membersOf(node);
      this.#known.set(node, members);
    }
    return members.get(key);
  }

  #membersOf(node: number): Found {
    const first = this.#text.charCodeAt(node);
    const found = new Map<string, { start: number; node: number }>();
    if (first !== openBrace && first !== openBracket) return found;
    let at = this.#skipBlanks(node + 1);
    for (let index = 0; at < this.#text.length; index++) {
      const code = this.#text.charCodeAt(at);
      if (code === closeBrace || code === closeBracket) break;
      const start = at;
      let key = String(index);
      if (first === openBrace) {
        if (code !== quote) break;
        const end = this.#endOfString(at);
        key = keyOf(this.#text.slice(at, end));
        at = this.#skipBlanks(end);
        if (this.#text.charCodeAt(at) !== colon) break;
        at = this.#skipBlanks(at + 1);
      }
      found.set(key, { start, node: at });
      at = this.#skipBlanks(this.#endOfValue(at));
      if (this.#text.charCodeAt(at) === comma) at = this.#skipBlanks(at + 1);
    }
    return found;
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (this.#text.charCodeAt(at) <= 0x20) at++;
    return at;
  }

  /** Offset after the string that starts here. */
  #endOfString(start: number): number {
    for (let end = this.#text.indexOf('"', start + 1); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (this.#text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
      if (slashes % 2 === 0) return end + 1;
    }
    return this.#text.length;
  }

  #endOfValue(start: number): number {
    const first = this.#text.charCodeAt(start);
    if (first === quote) return this.#endOfString(start);
    let at = start;
    let depth = 0;
    while (at < this.#text.length) {
      const code = this.#text.charCodeAt(at);
      if (code === quote) {
        at = this.#endOfString(at);
        continue;
      }
      if (code === openBrace || code === openBracket) depth++;
      else if (code === closeBrace || code === closeBracket) {
        if (depth === 0) return at; // end of a number or keyword
        depth--;
        if (depth === 0) return at + 1;
      } else if (depth === 0 && code === comma) return at;
      at++;
    }
    return at;
  }
}

function keyOf(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}
