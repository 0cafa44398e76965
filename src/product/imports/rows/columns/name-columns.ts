/** Names that stand in several columns become one, and those with the family name first are turned round. */
import { say, type Text } from '../../../../contract/languages/text.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { Question } from '../../state/questions.ts';
import type { ImportWarning } from '../../state/warnings.ts';
import { inTurns } from '../in-turns.ts';
import { halves, type TableField } from './import-fields.ts';
import type { Mapping } from './layouts.ts';

export type NameOrder = 'as_written' | 'family_first';

/** The columns that have to do with names, each counted from 0. */
export interface NameColumns {
  /** Of the whole name. */
  name: number | undefined;
  /** Of its parts, in the order in which they are joined. Empty where the whole has a column. */
  parts: readonly number[];
  /** Whether `name` decides by its values: it may be one of the parts, or have none. */
  isUnsure: boolean;
}

/**
 * Two columns that were said to be the name are joined in the order in which they were said.
 * @param columns of each field
 */
export function nameColumns(
  header: readonly Cell[],
  columns: ReadonlyMap<string, readonly number[]>,
  said: Mapping,
): NameColumns {
  const of = (key: TableField) => columns.get(key) ?? [];
  const [whole, given, family] = [of('name'), of('given_name'), of('family_name')];
  const names = Object.entries(said).flatMap(([name, key]) => (key === 'name' ? [plainName(name)] : []));
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
  /** Where the whole name stands now. */
  column: number | undefined;
  warnings: ImportWarning[];
  fault?: Text;
  question?: Question;
}

/**
 * Changes cells in place. A joined name stands behind all columns of the file.
 * @param order as somebody has said; by default a column is turned where all of its names have a comma
 */
export async function readNames(
  rows: readonly Row[],
  { name, parts, isUnsure }: NameColumns,
  headers: readonly Cell[],
  order: NameOrder | undefined,
): Promise<Names> {
  if (parts.length > 0 && !(isUnsure && (await isWhole(rows, name!, parts)))) {
    const column = Math.max(headers.length, ...rows.map(({ cells }) => cells.length));
    for await (const { cells } of inTurns(rows)) {
      while (cells.length < column) cells.push(null);
      cells[column] = joined(parts.map((part) => cells[part] ?? null));
    }
    const first = rows.find(({ cells }) => cells[column] !== null);
    return { column, warnings: first ? [joinedWarning(parts, first.cells[column] as string)] : [] };
  }
  return name === undefined ? { column: name, warnings: [] } : await turned(rows, name, order);
}

/**
 * Whether a column has whole names: one that may be a part has the other parts within it, in every row that has both; any
 * other only has to have something.
 */
async function isWhole(rows: readonly Row[], name: number, parts: readonly number[]): Promise<boolean> {
  if (!parts.includes(name)) return rows.some(({ cells }) => (cells[name] ?? null) !== null);
  let seen = 0;
  for await (const { cells } of inTurns(rows)) {
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

/** Chinese and Korean names have no space between their parts, and the family name first. */
const withoutSpaces = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;

function joined(parts: readonly Cell[]): string | null {
  const texts = parts.map((part) => String(part ?? '').trim()).filter(Boolean);
  if (texts.length === 0) return null;
  return texts.every((text) => withoutSpaces.test(text)) ? texts.toReversed().join('') : texts.join(' ');
}

function joinedWarning(parts: readonly number[], example: string): ImportWarning {
  const letters = parts.map(columnLetter).join(' + ');
  const message = say`Names are joined from the columns ${letters}: “${example.slice(0, 100)}”.`;
  return { code: 'names_joined', message, column: columnLetter(parts[0]!) };
}

/** `Ferraz, Ana`, and no `Ana Ferraz, Jr.` */
const familyFirst = /^([^,]+),\s*(?!\s)(?!(?:jr|sr|ii|iii|iv|phd|md|mba|esq)\b\.?$)([^,]+)$/iu;

export function turnedName(name: string): string | undefined {
  const [, family, given] = familyFirst.exec(name.trim()) ?? [];
  return family === undefined ? undefined : `${given!.trim()} ${family.trim()}`;
}

async function turned(rows: readonly Row[], column: number, order: NameOrder | undefined): Promise<Names> {
  const there = rows.filter(({ cells }) => typeof cells[column] === 'string');
  const commas = there.filter(({ cells }) => turnedName(cells[column] as string) !== undefined);
  const [first] = commas;
  if (!first || order === 'as_written') return { column, warnings: [] };
  const text = first.cells[column] as string;
  const example = turnedName(text)!;
  if (order !== 'family_first' && commas.length < there.length) {
    if (commas.length * 2 < there.length) return { column, warnings: [] }; // a few that have a comma for another reason
    return {
      column,
      warnings: [],
      fault: say`Some names have the family name first: “${text}” in row ${first.row}. Say with \`name_order\` whether to turn them round.`,
      question: {
        ...{ id: 'name_order', kind: 'name_order', column: columnLetter(column) },
        message: say`Some names have a comma. Does the family name stand before it?`,
        choices: [
          { answer: 'family_first', label: say`Yes: turn these names round`, example },
          { answer: 'as_written', label: say`No: keep them as written`, example: text },
        ],
      },
    };
  }
  for await (const { cells } of inTurns(commas)) {
    cells[column] = turnedName(cells[column] as string)!;
  }
  const message = say`Names with the family name first are turned round: “${text}” is read as “${example}”.`;
  return { column, warnings: [{ code: 'names_turned', message, column: columnLetter(column) }] };
}
