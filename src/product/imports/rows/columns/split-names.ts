/** Joins names split over several columns, and reorders names with the family name first. */
import { type Text, t } from '../../../../contract/languages/text.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { Question } from '../../state/questions.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import { inBatches } from '../in-batches.ts';
import type { Mapping } from './detect-layout.ts';
import { halves, type TableField } from './import-fields.ts';

export type NameOrder = 'as_written' | 'family_first';

/** The name columns, zero-based. */
export interface NameColumns {
  name: number | undefined;
  /** Of its parts in joining order. Empty if the full name has a column. */
  parts: readonly number[];
  /** Whether `name` must be inspected: it may be one of the parts, or be empty. */
  isUnsure: boolean;
}

/**
 * Two columns that the mapping assigns to the name are joined in the order of the mapping.
 * @param columns column numbers by field
 */
export function nameColumns(
  header: readonly Cell[],
  columns: ReadonlyMap<string, readonly number[]>,
  mapping: Mapping,
): NameColumns {
  const of = (key: TableField) => columns.get(key) ?? [];
  const [whole, given, family] = [of('name'), of('given_name'), of('family_name')];
  const names = Object.entries(mapping).flatMap(([name, key]) => (key === 'name' ? [plainName(name)] : []));
  const at = (column: number) => names.indexOf(plainName(String(header[column])));
  if (whole.length > 1 && whole.every((column) => at(column) >= 0)) {
    return { name: undefined, parts: whole.toSorted((a, b) => at(a) - at(b)), isUnsure: false };
  }
  const [name] = whole;
  if (name === undefined) {
    const parts = given.length > 0 && family.length > 0 ? [...given, ...family] : [];
    return { name, parts, isUnsure: false };
  }
  if (given.length > 0 && family.length > 0) return { name, parts: [...given, ...family], isUnsure: true };
  const isHalf = halves.has(plainName(String(header[name])));
  if (!isHalf || given.length + family.length === 0) return { name, parts: [], isUnsure: false };
  return { name, parts: given.length > 0 ? [...given, name] : [name, ...family], isUnsure: true };
}

export interface Names {
  column: number | undefined;
  warnings: ImportWarning[];
  error?: Text;
  question?: Question;
}

/**
 * Changes cells in place. A joined name is appended after the file's columns.
 * @param order by the request or an answer; by default a column is reordered if all of its names have a comma
 */
export async function readNames(
  rows: readonly Row[],
  { name, parts, isUnsure }: NameColumns,
  headers: readonly Cell[],
  order: NameOrder | undefined,
): Promise<Names> {
  if (parts.length > 0 && !(isUnsure && (await isWhole(rows, name!, parts)))) {
    const column = Math.max(headers.length, ...rows.map(({ cells }) => cells.length));
    for await (const { cells } of inBatches(rows)) {
      while (cells.length < column) cells.push(null);
      cells[column] = joined(parts.map((part) => cells[part] ?? null));
    }
    const first = rows.find(({ cells }) => cells[column] !== null);
    return { column, warnings: first ? [joinedWarning(parts, first.cells[column] as string)] : [] };
  }
  return name === undefined ? { column: name, warnings: [] } : await reorderNames(rows, name, order);
}

/** A column that may be a part must contain the other parts in every row that has both; another one must only have values. */
async function isWhole(rows: readonly Row[], name: number, parts: readonly number[]): Promise<boolean> {
  if (!parts.includes(name)) return rows.some(({ cells }) => (cells[name] ?? null) !== null);
  let seen = 0;
  for await (const { cells } of inBatches(rows)) {
    const whole = wordsOf(cells[name]);
    const others = parts.filter((part) => part !== name).flatMap((part) => wordsOf(cells[part]));
    if (whole.length === 0 || others.length === 0) continue;
    if (!others.every((word) => whole.includes(word)) || whole.length === others.length) return false;
    seen++;
  }
  return seen > 0;
}

function wordsOf(cell: Cell | undefined): string[] {
  return cell === null || cell === undefined ? [] : plainName(String(cell)).split(' ').filter(Boolean);
}

/** Chinese and Korean names put the family name first, without a space. */
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;

function joined(parts: readonly Cell[]): string | null {
  const texts = parts.map((part) => String(part ?? '').trim()).filter(Boolean);
  if (texts.length === 0) return null;
  return texts.every((text) => withoutSpaces.test(text)) ? texts.toReversed().join('') : texts.join(' ');
}

function joinedWarning(parts: readonly number[], example: string): ImportWarning {
  const letters = parts.map(columnLetter).join(' + ');
  const message = t`Names are combined from the columns ${letters}: “${example.slice(0, 100)}”.`;
  return { code: 'names_joined', message, column: columnLetter(parts[0]!) };
}

/** Matches `Ferraz, Ana` but not `Ana Ferraz, Jr.` */
const familyFirst = /^([^,]+),\s*(?!\s)(?!(?:jr|sr|ii|iii|iv|phd|md|mba|esq)\b\.?$)([^,]+)$/iu;

export function reorderedName(name: string): string | undefined {
  const [, family, given] = familyFirst.exec(name.trim()) ?? [];
  return family === undefined ? undefined : `${given!.trim()} ${family.trim()}`;
}

async function reorderNames(rows: readonly Row[], column: number, order: NameOrder | undefined): Promise<Names> {
  const filled = rows.filter(({ cells }) => typeof cells[column] === 'string');
  const commas = filled.filter(({ cells }) => reorderedName(cells[column] as string) !== undefined);
  const [first] = commas;
  if (!first || order === 'as_written') return { column, warnings: [] };
  const text = first.cells[column] as string;
  const example = reorderedName(text)!;
  if (order !== 'family_first' && commas.length < filled.length) {
    if (commas.length * 2 < filled.length) return { column, warnings: [] }; // too few: the commas have another reason
    return {
      column,
      warnings: [],
      error: t`Some names have the family name first: “${text}” in row ${first.row}. Set \`name_order\` to reorder or keep them.`,
      question: {
        ...{ id: 'name_order', kind: 'name_order', column: columnLetter(column) },
        message: t`Some names have a comma. Is the family name before it?`,
        choices: [
          { answer: 'family_first', label: t`Yes: reorder these names`, example },
          { answer: 'as_written', label: t`No: keep them as written`, example: text },
        ],
      },
    };
  }
  for await (const { cells } of inBatches(commas)) {
    cells[column] = reorderedName(cells[column] as string)!;
  }
  const message = t`Names with the family name first are reordered: “${text}” is read as “${example}”.`;
  return { column, warnings: [{ code: 'names_turned', message, column: columnLetter(column) }] };
}
