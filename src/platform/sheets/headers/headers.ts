/** Which column of a file is which field: by the names in its header row, in whatever order they stand. */

import type { Cell } from '../model/types.ts';
import { guesser, plainName, withoutNotes } from './header-names.ts';

export interface Field {
  /** A name of it, too. */
  key: string;
  required: boolean;
  /** Other headers that mean the same, in any language. */
  aliases?: readonly string[];
}

export interface HeaderMatch {
  /** The key of each column, counted from 0; undefined for one that is not used. */
  keys: (string | undefined)[];
  /** The column of each key. */
  columns: Map<string, number>;
  /** Columns whose header is none of the names of a field, but almost one; they are used where guesses are accepted. */
  guessed: Map<number, string>;
  /** Headers that mean no field, as they stand in the file; those that the mapping leaves out are none of them. */
  unknown: { column: number; header: string }[];
  /** Further columns for a field that has one already. */
  doubled: { column: number; key: string; first: number }[];
  /** All columns of each key, in the order of the file. */
  all: Map<string, number[]>;
  /** Required fields without a column. */
  missing: string[];
  /** Headers that the mapping names, and the file does not have. */
  absent: string[];
}

/**
 * @param mapping the key that a header stands for, null for a column to leave out; stronger than what the header says
 * @param acceptsGuesses whether columns are used whose header is almost a name
 */
export function matchHeaders(
  header: readonly Cell[],
  fields: readonly Field[],
  mapping: Readonly<Record<string, string | null>> = {},
  acceptsGuesses = false,
): HeaderMatch {
  const match = matchNames(header, fields, mapping);
  match.guessed = guessesFor(match, guesser(namesOf(fields)));
  if (acceptsGuesses) {
    for (const [column, key] of match.guessed) {
      match.keys[column] = key;
      match.columns.set(key, column);
      match.all.set(key, [column]);
    }
    match.unknown = match.unknown.filter(({ column }) => !match.guessed.has(column));
  }
  match.missing = fields.filter(({ key, required }) => required && !match.columns.has(key)).map(({ key }) => key);
  return match;
}

/** What is longer is a text, and no name of a column. */
const longestName = 300;

/**
 * What single headers stand for, in a row of which it is not known yet whether it is the one with the headers.
 * @returns something that differs for each field; undefined for what is no header
 */
export function headerMeaning(
  fields: readonly Field[],
  mapping: Readonly<Record<string, string | null>> = {},
): (header: string, roughly: boolean) => string | undefined {
  const mapped = new Map(Object.entries(mapping).map(([name, key]) => [plainName(name), key ?? `without ${name}`]));
  const names = namesOf(fields);
  const guess = guesser(names);
  return (header, roughly) => {
    if (header.length > longestName) return undefined;
    const name = plainName(header);
    return mapped.get(name) ?? meaningIn(names, header) ?? (roughly ? guess(header) : undefined);
  };
}

function matchNames(
  header: readonly Cell[],
  fields: readonly Field[],
  mapping: Readonly<Record<string, string | null>>,
): HeaderMatch {
  const mapped = new Map(Object.entries(mapping).map(([name, key]) => [plainName(name), key]));
  const names = namesOf(fields);
  const match: HeaderMatch = {
    ...{ keys: [], columns: new Map(), guessed: new Map() },
    ...{ unknown: [], doubled: [], all: new Map(), missing: [], absent: [] },
  };
  for (const [column, cell] of header.entries()) {
    const name = plainName(String(cell ?? ''));
    const key = mapped.has(name) ? mapped.get(name) : meaningIn(names, String(cell ?? ''));
    const first = match.columns.get(key ?? '');
    match.keys.push(first === undefined ? (key ?? undefined) : undefined);
    if (key === undefined && String(cell ?? '').trim() !== '') match.unknown.push({ column, header: String(cell) });
    if (key === undefined || key === null) continue;
    match.all.set(key, [...(match.all.get(key) ?? []), column]);
    if (first === undefined) match.columns.set(key, column);
    else match.doubled.push({ column, key, first });
  }
  const headers = new Set(header.map((cell) => plainName(String(cell ?? ''))));
  match.absent = Object.keys(mapping).filter((name) => !headers.has(plainName(name)));
  return match;
}

/** Of fields that have no column yet, and of each that one column alone seems to be. */
function guessesFor({ unknown, columns }: HeaderMatch, guess: (header: string) => string | undefined) {
  const guesses = unknown.flatMap(({ column, header }) => {
    const key = guess(header);
    return key === undefined || columns.has(key) ? [] : [[column, key] as const];
  });
  return new Map(guesses.filter(([, key]) => guesses.filter((other) => other[1] === key).length === 1));
}

/** By its whole text, and else without notes such as `[Required]`; those in round brackets are only good for a guess. */
function meaningIn(names: ReadonlyMap<string, string>, header: string): string | undefined {
  return (
    names.get(plainName(header)) ?? (header.endsWith(']') ? names.get(plainName(withoutNotes(header))) : undefined)
  );
}

/** The names of all fields in plain form, each with its key. */
function namesOf(fields: readonly Field[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { key, aliases = [] } of fields) for (const alias of aliases) names.set(plainName(alias), key);
  for (const { key } of fields) names.set(plainName(key), key);
  return names;
}
