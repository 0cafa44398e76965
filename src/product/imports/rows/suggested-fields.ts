/** Suggests custom fields for unmapped columns, by their headers and values. */
import type { components } from '../../../../generated/api.ts';
import { isEmail } from '../../../contract/texts/email.ts';
import { withoutRefused, words } from '../../../contract/texts/one-line.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import { fieldValue } from '../../../platform/sheets/cells/cell-values.ts';
import { plainName } from '../../../platform/sheets/headers/header-names.ts';
import { columnLetter } from '../../../platform/sheets/model/letters.ts';
import type { Cell, Row } from '../../../platform/sheets/model/types.ts';
import { booleanWords } from './columns/custom-field-columns.ts';

type SuggestedField = components['schemas']['ImportSuggestedField'];
type Guess = Pick<SuggestedField, 'type' | 'options'>;

const maxColumns = 50;
const maxRows = 5_000;
const maxOptions = 20;
const maxOption = 40;
const maxKey = 40;
const maxLabel = 100;
const maxLine = 200;

export function suggestedFields(
  columns: readonly number[],
  header: readonly Cell[],
  rows: readonly Row[],
  { all }: CompanyFields,
): Map<number, SuggestedField> {
  const usedKeys = new Set(all.map(({ key }) => key));
  const suggested = columns.slice(0, maxColumns).map((column): [number, SuggestedField] => {
    const label = words(withoutRefused(String(header[column]))).slice(0, maxLabel);
    const key = freeKey(keyOf(label, /^[^a-z]+/) || `column_${columnLetter(column).toLowerCase()}`, usedKeys);
    return [column, { key, label: labelOf(label), ...guessOf(valuesOf(rows, column)) }];
  });
  return new Map(suggested);
}

function valuesOf(rows: readonly Row[], column: number): Cell[] {
  return rows.slice(0, maxRows).flatMap(({ cells }) => {
    const cell = cells[column] ?? null;
    return cell === null ? [] : [cell];
  });
}

/** The type of all values. An empty column may be any text. */
function guessOf(cells: readonly Cell[]): Guess {
  const texts = cells.map((cell) => String(cell).trim());
  const all = (is: (text: string) => boolean) => texts.length > 0 && texts.every(is);
  const plain = (type: Guess['type']): Guess => ({ type, options: [] });
  if (all((text) => booleanWords.has(text.toLowerCase()) || /^(true|false)$/i.test(text))) return plain('boolean');
  if (texts.length > 0 && cells.every(isNumber)) return plain('number');
  if (all((text) => /^\d{4}-\d\d-\d\d(T00:00:00(\.0+)?Z?)?$/.test(text))) return plain('date');
  if (all(isEmail)) return plain('email');
  if (all((text) => /^https?:\/\//i.test(text) && URL.canParse(text))) return plain('url');
  if (all((text) => /^\+[\d ().-]{6,40}$/.test(text))) return plain('phone');
  if (texts.some((text) => text.includes('\n') || text.length > maxLine)) return plain('long_text');
  return choiceOf(texts) ?? plain('text');
}

/** Digits with a leading zero are an identifier, such as a badge number. */
function isNumber(cell: Cell): boolean {
  return typeof fieldValue(cell, 'number') === 'number' && !/^[+-]?0\d/.test(String(cell).trim());
}

/** Few distinct values, each used twice on average. */
function choiceOf(texts: readonly string[]): Guess | undefined {
  const isSeveral = texts.some((text) => text.includes(';'));
  const values = isSeveral ? texts.flatMap((text) => text.split(';').map((part) => part.trim())) : texts;
  const distinct = new Map<string, string>();
  for (const value of values) {
    if (value === '') continue;
    if (value.length > maxOption) return undefined;
    distinct.set(value.toLowerCase(), distinct.get(value.toLowerCase()) ?? value);
    if (distinct.size > maxOptions) return undefined;
  }
  if (distinct.size === 0 || values.length < 2 * distinct.size) return undefined;
  const usedKeys = new Set<string>();
  const options = [...distinct.values()].map((value, at) => ({
    key: freeKey(keyOf(value, /^_+/) || `option_${at + 1}`, usedKeys),
    label: labelOf(words(withoutRefused(value))),
    retired: false,
  }));
  return { type: isSeveral ? 'multi_choice' : 'choice', options };
}

function labelOf(text: string): SuggestedField['label'] {
  return { default: text, en: null, pt: null, es: null };
}

function keyOf(text: string, before: RegExp): string {
  const key = plainName(text)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(before, '');
  return key.slice(0, maxKey).replace(/_+$/, '');
}

function freeKey(key: string, usedKeys: Set<string>): string {
  let free = key;
  for (let number = 2; usedKeys.has(free); number++) {
    free = `${key.slice(0, maxKey - 1 - String(number).length)}_${number}`;
  }
  usedKeys.add(free);
  return free;
}
