/** Which column of a file is which field: by the names in its header row, in whatever order they stand. */
import type { Cell } from './types.ts';

export interface Field {
  key: string;
  /** As the header of the template has it. */
  label: string;
  required: boolean;
  /** Other headers that mean the same. */
  aliases?: readonly string[];
}

export interface HeaderMatch {
  /** The key of each column, counted from 0; undefined for one that is not used. */
  keys: (string | undefined)[];
  /** The column of each key. */
  columns: Map<string, number>;
  /** Headers that mean no field, as they stand in the file; those that the mapping leaves out are none of them. */
  unknown: { column: number; header: string }[];
  /** Further columns for a field that has one already; they are not used. */
  doubled: { column: number; key: string; first: number }[];
  /** Required fields without a column. */
  missing: string[];
  /** Headers that the mapping names, and the file does not have. */
  absent: string[];
}

/** @param mapping the key that a header stands for, null for a column to leave out; stronger than what the header says */
export function matchHeaders(
  header: readonly Cell[],
  fields: readonly Field[],
  mapping: Readonly<Record<string, string | null>> = {},
): HeaderMatch {
  const mapped = new Map(Object.entries(mapping).map(([name, key]) => [plain(name), key]));
  const names = namesOf(fields);
  const match: HeaderMatch = { keys: [], columns: new Map(), unknown: [], doubled: [], missing: [], absent: [] };
  for (const [column, cell] of header.entries()) {
    const name = plain(String(cell ?? ''));
    const key = mapped.has(name) ? mapped.get(name) : names.get(name);
    const first = match.columns.get(key ?? '');
    match.keys.push(first === undefined ? (key ?? undefined) : undefined);
    if (key === undefined && name !== '') match.unknown.push({ column, header: String(cell) });
    if (key === undefined || key === null) continue;
    if (first === undefined) match.columns.set(key, column);
    else match.doubled.push({ column, key, first });
  }
  const headers = new Set(header.map((cell) => plain(String(cell ?? ''))));
  match.absent = Object.keys(mapping).filter((name) => !headers.has(plain(name)));
  match.missing = fields.filter(({ key, required }) => required && !match.columns.has(key)).map(({ key }) => key);
  return match;
}

function namesOf(fields: readonly Field[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { key, aliases = [] } of fields) for (const alias of aliases) names.set(plain(alias), key);
  for (const { key, label } of fields) names.set(plain(label), key);
  for (const { key } of fields) names.set(plain(key), key);
  return names;
}

/** Without what people change by accident: case, spaces, the star of a required column, `_` for a space. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-\u200b\ufeff]+/g, ' ')
    .replace(/\s*\*\s*$/, '')
    .trim();
}
