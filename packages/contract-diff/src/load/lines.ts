// Line numbers of values in a text. Reads only the path to a value, because most of a large document is never reported.
import { EVENT_ID, type Event, getScalarValue, parseEvents, type ScalarEvent } from 'js-yaml';
import { JsonMembers } from './json-members.ts';
import { looksLikeJson, maxDepth } from './parse.ts';

export interface Lines {
  /** Line, starting at 1, of the value at a path; of its nearest ancestor if it is missing. */
  of(keys: readonly string[]): number;
}

/** Finds lines in YAML or JSON. A member starts at its key. */
export function linesOf(text: string): Lines {
  const lineAt = lineCounter(text);
  const members = looksLikeJson(text) ? new JsonMembers(text) : new YamlMembers(text);
  return {
    of: (keys) => {
      let node = members.top;
      let start = 0;
      for (const key of keys) {
        const member = node === undefined ? undefined : members.member(node, key);
        if (member === undefined) break;
        start = member.start;
        node = member.node;
      }
      return lineAt(start);
    },
  };
}

/** Syntax tree with numbered nodes. */
interface Members {
  /** The root; undefined if the text has none. */
  readonly top: number | undefined;
  /** Start of a member and its node; undefined if missing. */
  member(node: number, key: string): { readonly start: number; readonly node: number } | undefined;
}

class YamlMembers implements Members {
  readonly top: number | undefined;
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #nodeEnds: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.#events = eventsOf(text);
    this.#nodeEnds = new Int32Array(this.#events.length);
    const open: number[] = [];
    for (const [index, { type }] of this.#events.entries()) {
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE || type === EVENT_ID.DOCUMENT) open.push(index);
      else if (type === EVENT_ID.POP) this.#nodeEnds[open.pop() ?? index] = index + 1;
      else this.#nodeEnds[index] = index + 1;
    }
    const first = this.#events[0]?.type === EVENT_ID.DOCUMENT ? 1 : 0;
    this.top = this.#events.length > first ? first : undefined;
  }

  member(node: number, key: string): { start: number; node: number } | undefined {
    const { type } = this.#events[node]!;
    if (type === EVENT_ID.SEQUENCE) {
      let item = node + 1;
      for (let index = 0; !this.#ends(item); index++) {
        if (String(index) === key) return { start: startOf(this.#events[item]!) ?? 0, node: item };
        item = this.#nodeEnds[item]!;
      }
    } else if (type === EVENT_ID.MAPPING) {
      for (let at = node + 1; !this.#ends(at); ) {
        const value = this.#nodeEnds[at]!;
        const event = this.#events[at] as ScalarEvent;
        if (event.type === EVENT_ID.SCALAR && getScalarValue(this.#text, event) === key)
          return { start: event.valueStart, node: value };
        at = this.#nodeEnds[value]!;
      }
    }
    return undefined;
  }

  #ends = (index: number): boolean => index >= this.#events.length || this.#events[index]!.type === EVENT_ID.POP;
}

/** Invalid text is never compared, so it needs no lines. */
function eventsOf(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth });
  } catch {
    return [];
  }
}

function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : undefined;
}

function lineCounter(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= startsOfLines(text);
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
