/** Custom fields as export columns, in a form that an import accepts. */
import type { Language } from '../../../contract/languages/language.ts';
import type { CompanyField } from '../../../identity/members/company-fields.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import { plainName } from '../../../platform/sheets/headers/header-names.ts';
import type { SheetColumn } from '../../../platform/sheets/model/sheet.ts';
import type { Cell } from '../../../platform/sheets/model/types.ts';
import { columnNames, importOnlyNames, readOnlyNames } from '../../collaborators/fields/column-names.ts';
import { importColumns, readOnlyColumns } from '../../collaborators/fields/sheet-columns.ts';
import { type Field, isChosen } from '../../collaborators/responses/requested-fields.ts';
import { readableIn } from './readable-fields.ts';

type Values = Readonly<Record<string, unknown>>;

interface CustomColumn {
  column: SheetColumn;
  cell(values: Values): Cell;
}

/**
 * The fields the reader can read of someone.
 *
 * @param fields the chosen ones; default: all
 */
export function customColumns(
  viewer: Pick<Viewer, 'caller' | 'member'>,
  language: Language,
  fields?: ReadonlySet<Field>,
): CustomColumn[] {
  const active = viewer.member.fields?.active ?? [];
  const readable = active.filter(
    ({ path, readers }) => isChosen(path, fields) && readableIn(readers, viewer) !== 'none',
  );
  return readable.map((field) => ({
    column: { header: customFieldHeader(field, active, language), kind: kinds[field.type] ?? 'text' },
    cell: (values) => cellOf(field, values[field.key], language),
  }));
}

const kinds: Partial<Record<CompanyField['type'], SheetColumn['kind']>> = {
  number: 'number',
  boolean: 'boolean',
  date: 'date',
};

const reservedNames = new Set(
  [
    ...[...importColumns, ...readOnlyColumns].map(({ key }) => key),
    ...Object.values(columnNames).flatMap((names) => Object.values(names).flat()),
    ...Object.values(readOnlyNames).flat(),
    ...Object.entries(importOnlyNames).flatMap(([key, names]) => [key, ...names]),
    'errors',
  ].map(plainName),
);

/** The label, if unambiguous, because an import must recognize the column. */
export function customFieldHeader(
  { path, key, label }: CompanyField,
  active: readonly CompanyField[],
  language?: Language,
): string {
  const header = (language && label[language]) ?? label.default;
  const name = plainName(header);
  const others = active.filter((field) => field.key !== key);
  const isOthers = others.some((field) =>
    [field.key, ...Object.values(field.label)].some((text) => text !== null && plainName(text) === name),
  );
  return isOthers || reservedNames.has(name) ? path : header;
}

function cellOf({ type, options }: CompanyField, value: unknown, language: Language): Cell {
  if (value === undefined || value === null) return null;
  if (type === 'choice') return optionName(options, String(value), language);
  if (type === 'multi_choice') return (value as string[]).map((key) => optionName(options, key, language)).join('; ');
  return value as Cell;
}

/** The label, if it is unique and doesn't contain the separator. */
function optionName(options: CompanyField['options'], key: string, language: Language): string {
  const labels = options.find((option) => option.key === key)?.label;
  const label = labels?.[language] ?? labels?.default ?? key;
  const name = label.toLowerCase();
  const named = options.filter(
    (option) =>
      option.key.toLowerCase() === name || Object.values(option.label).some((text) => text?.toLowerCase() === name),
  );
  return named.length === 1 && !/[;\n]/.test(label) ? label : key;
}
