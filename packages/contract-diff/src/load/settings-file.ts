// Configuration files (policy, exceptions), with line and column of each value for error messages.
import { readFileSync } from 'node:fs';
import {
  CORE_SCHEMA,
  EVENT_ID,
  type Event,
  getScalarValue,
  load,
  parseEvents,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { CannotCompare } from '../model/cannot-compare.ts';

/** Follows each key of a path. */
const separator = '\0';
/** Far above any realistic size. */
const maxBytes = 5_000_000;

/** A handwritten YAML or JSON file, possibly with errors. */
export class SettingsFile {
  readonly name: string;
  readonly text: string;
  /** Undefined if the file has only comments. */
  readonly value: unknown;
  #offsets: ReadonlyMap<string, number> | undefined;

  /** @throws CannotCompare when the text is neither YAML nor JSON */
  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
    // The YAML parser rejects files with only comments.
    if (/^(\s*(#.*)?(\r?\n|$))*$/.test(text)) return;
    try {
      this.value = load(text, { filename: name, schema: CORE_SCHEMA });
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const { line = 0, column = 0 } = error.mark ?? {};
      throw new CannotCompare(`${name}:${line + 1}:${column + 1}: this is neither YAML nor JSON: ${error.reason}.`);
    }
  }

  /** @throws CannotCompare when the file can't be read */
  static read(name: string): SettingsFile {
    let bytes: Buffer;
    try {
      bytes = readFileSync(name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CannotCompare(
        code === 'ENOENT' ? `There is no file ${name}.` : code === 'EISDIR' ? `${name} is a folder.` : String(error),
      );
    }
    if (bytes.length > maxBytes) throw new CannotCompare(`${name} is larger than ${maxBytes} bytes.`);
    return new SettingsFile(name, bytes.toString('utf8'));
  }

  /** Position of the value at a path, or of its nearest ancestor; line and column start at 1. */
  positionOf(keys: readonly (string | number)[]): { readonly line: number; readonly column: number } {
    this.#offsets ??= offsetsOf(this.text);
    let offset: number | undefined;
    for (let length = keys.length; length >= 0 && offset === undefined; length--)
      offset = this.#offsets.get(
        keys
          .slice(0, length)
          .map((key) => key + separator)
          .join(''),
      );
    const before = this.text.slice(0, offset ?? 0).split('\n');
    return { line: before.length, column: before.at(-1)!.length + 1 };
  }

  errorAt(keys: readonly (string | number)[], message: string): CannotCompare {
    const { line, column } = this.positionOf(keys);
    return new CannotCompare(`${this.name}:${line}:${column}: ${message}`);
  }
}

/** Start offset of each value by path; a member starts at its key. */
function offsetsOf(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>([['', 0]]);
  const events = parseEvents(text, {});
  let next = events[0]?.type === EVENT_ID.DOCUMENT ? 1 : 0;
  const ends = () => events[next] === undefined || events[next]!.type === EVENT_ID.POP;
  const member = (path: string, offset: number | undefined) => {
    if (offset !== undefined) offsets.set(path, offset);
    node(path);
  };
  const node = (path: string): void => {
    const event = events[next++];
    if (event?.type === EVENT_ID.MAPPING) {
      while (!ends()) {
        const key = events[next] as ScalarEvent;
        if (key.type !== EVENT_ID.SCALAR) return;
        next++;
        member(path + getScalarValue(text, key) + separator, key.valueStart);
      }
      next++;
    } else if (event?.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !ends(); index++) member(path + index + separator, startOf(events[next]!));
      next++;
    }
  };
  node('');
  return offsets;
}

const startOf = (event: Event): number | undefined =>
  event.type === EVENT_ID.SCALAR
    ? event.valueStart
    : event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE
      ? event.start
      : undefined;
