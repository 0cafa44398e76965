/** Maps the columns of a file to fields, by the names in its header row, in any order. */

import type { Cell } from '../model/types.ts';
import { guesser, plainName, withoutNotes } from './header-names.ts';

export interface Field {
  /** Also a name of the field. */
  key: string;
  required: boolean;
  /** Other headers for the field, in any language. */
  aliases?: readonly string[];
}

export interface HeaderMatch {
  /** The key of each column (from 0); undefined for an unused one. */
  keys: (string | undefined)[];
  columns: Map<string, number>;
  /** Columns whose header is similar to a field's name; used only if guesses are accepted. */
  guessed: Map<number, string>;
  /** Unmapped headers as written in the file, except those that the mapping omits. */
  unknown: { column: number; header: string }[];
  /** Further columns for a field that already has one. */
  doubled: { column: number; key: string; first: number }[];
  /** All columns of each key, in file order. */
  all: Map<string, number[]>;
  /** Required fields without a column. */
  missing: string[];
  /** Headers in the mapping that the file lacks. */
  absent: string[];
}

/** @param mapping the key for a header, or null to omit the column; overrides the header's own meaning */
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

/** Longer cells are text rather than column names. */
const maxName = 300;

/** Interprets single headers, to find the header row. @returns a distinct value for each field */
export function headerMeaning(
  fields: readonly Field[],
  mapping: Readonly<Record<string, string | null>> = {},
): (header: string, isFuzzy: boolean) => string | undefined {
  const mapped = new Map(Object.entries(mapping).map(([name, key]) => [plainName(name), key ?? `without ${name}`]));
  const names = namesOf(fields);
  const guess = guesser(names);
  return (header, isFuzzy) => {
    if (header.length > maxName) return undefined;
    const name = plainName(header);
    return mapped.get(name) ?? meaningIn(names, header) ?? (isFuzzy ? guess(header) : undefined);
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

/** Guesses only fields without a column, with exactly one candidate. */
function guessesFor({ unknown, columns }: HeaderMatch, guess: (header: string) => string | undefined) {
  const guesses = unknown.flatMap(({ column, header }) => {
    const key = guess(header);
    return key === undefined || columns.has(key) ? [] : [[column, key] as const];
  });
  return new Map(guesses.filter(([, key]) => guesses.filter((other) => other[1] === key).length === 1));
}

/** Matches the whole text, or without notes such as `[Required]`; notes in parentheses only allow a guess. */
function meaningIn(names: ReadonlyMap<string, string>, header: string): string | undefined {
  return (
    names.get(plainName(header)) ?? (header.endsWith(']') ? names.get(plainName(withoutNotes(header))) : undefined)
  );
}

const known = new WeakMap<readonly Field[], Map<string, string>>();

/** The normalized names of all fields, with their keys; normalizing some hundred names takes longer than matching a header row. */
function namesOf(fields: readonly Field[]): ReadonlyMap<string, string> {
  const found = known.get(fields);
  if (found) return found;
  const names = new Map<string, string>();
  for (const { key, aliases = [] } of fields) for (const alias of aliases) names.set(plainName(alias), key);
  for (const { key } of fields) names.set(plainName(key), key);
  known.set(fields, names);
  return names;
}
