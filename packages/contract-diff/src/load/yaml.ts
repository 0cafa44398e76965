// YAML and JSON: the value of a text, and the line in which a part of it stands.
import {
  CORE_SCHEMA,
  EVENT_ID,
  type Event,
  getScalarValue,
  load,
  mergeTag,
  parseEvents,
  type ScalarEvent,
} from 'js-yaml';
import { CannotCompare } from '../model/cannot-compare.ts';

/** Deeper than any document that is written by hand, and far from the end of the stack. */
const maxDepth = 1_000;
const schema = CORE_SCHEMA.withTags(mergeTag);

/**
 * The value of a text of JSON or YAML 1.2 (with merge keys).
 *
 * @param name the file's name, for the message
 * @throws CannotCompare when it is neither
 */
export function parse(text: string, name: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // Flow style of YAML looks like JSON.
    }
  }
  try {
    return load(text, { schema, maxDepth });
  } catch (error) {
    throw new CannotCompare(`${name} is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`);
  }
}

/**
 * The lines, counted from 1, in which parts of a text begin; by the path of keys from the top, joined by NUL.
 * A member of an object begins with its key.
 */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>([['', 1]]);
  const lineAt = lineCounter(text);
  const events = parseEvents(text, { maxDepth });
  let next = 0;

  /** Reads one node, and notes where each of its members begins. */
  const node = (path: string): void => {
    const event = events[next++];
    if (event?.type === EVENT_ID.MAPPING) {
      while (!ends(events[next])) {
        const key = events[next] as ScalarEvent;
        if (key.type !== EVENT_ID.SCALAR) return;
        next++;
        const inner = path + getScalarValue(text, key) + separator;
        lines.set(inner, lineAt(key.valueStart));
        node(inner);
      }
      next++;
    } else if (event?.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !ends(events[next]); index++) {
        const inner = path + index + separator;
        const start = startOf(events[next]!);
        if (start !== undefined) lines.set(inner, lineAt(start));
        node(inner);
      }
      next++;
    }
  };

  if (events[0]?.type === EVENT_ID.DOCUMENT) next = 1;
  node('');
  return lines;
}

/** Stands behind each key of a path. */
export const separator = '\0';

const ends = (event: Event | undefined): boolean => event === undefined || event.type === EVENT_ID.POP;

function startOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : undefined;
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
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
