/**
 * Columns of custom fields: their headers and cell values. Imports ignore columns of sensitive fields, because the file and its
 * errors are stored and shown to others.
 */
import { t } from '../../../../contract/languages/text.ts';
import type { FieldError } from '../../../../contract/problem.ts';
import type { CompanyField, CompanyFields, FieldDefinition } from '../../../../identity/members/company-fields.ts';
import { fieldValue } from '../../../../platform/sheets/cells/cell-values.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { type Field, headerMeaning } from '../../../../platform/sheets/headers/headers.ts';
import type { Cell, CellKind } from '../../../../platform/sheets/model/types.ts';
import type { Values } from '../../../custom-fields/unique-values.ts';
import { checkValues } from '../../../custom-fields/write-values.ts';

export type CustomFieldKey = `custom_fields.${string}`;

const prefix = 'custom_fields.';

export function isCustomField(key: string | undefined): key is CustomFieldKey {
  return key?.startsWith(prefix) ?? false;
}

/** Placeholder for several fields with the same name, so that none is chosen silently. */
export const severalFields = 'several_custom_fields';

/** Matches headers by key, or by label in any language. Standard fields take precedence. */
export function customHeaderFields(fields: readonly FieldDefinition[]): Field[] {
  const named = fields.map((field) => ({ key: `${prefix}${field.key}`, required: false, aliases: namesOf(field) }));
  return [...named, { key: severalFields, required: false, aliases: sharedNames(fields) }];
}

function namesOf({ key, label }: FieldDefinition): string[] {
  return [...Object.values(label).filter((text) => text !== null), key];
}

/** Names that several fields have, unless all of these are sensitive, which imports ignore anyway. */
function sharedNames(fields: readonly FieldDefinition[]): string[] {
  const holders = new Map<string, FieldDefinition[]>();
  for (const field of fields) {
    for (const name of new Set(namesOf(field).map(plainName))) {
      holders.set(name, [...(holders.get(name) ?? []), field]);
    }
  }
  const shared = [...holders].filter(([, named]) => named.length > 1 && named.some(({ sensitive }) => !sensitive));
  return shared.map(([name]) => name);
}

/** Paths of the fields that match a header. */
export function fieldsNamed(fields: readonly FieldDefinition[], header: string): string[] {
  return fields.flatMap((field) => headerMeaning(customHeaderFields([field]))(header, true) ?? []);
}

export function isWritable({ byKey }: CompanyFields, path: CustomFieldKey): boolean {
  return byKey.get(path.slice(prefix.length))?.sensitive === false;
}

/** @returns an error if the mapping can't assign a column to this field */
export function targetError({ byKey }: CompanyFields, path: CustomFieldKey): FieldError | undefined {
  const field = byKey.get(path.slice(prefix.length));
  if (!field) return { code: 'not_found', message: t`The company has no such field.` };
  return field.sensitive
    ? { code: 'field_not_allowed', message: t`An import can't write sensitive fields.` }
    : undefined;
}

/** Only admins can import. */
const importer = { caller: { scopes: [] }, member: { collaborator_id: '', role: 'admin' as const } };

export interface CustomValues {
  /** Normalized; undefined if the row has no value. */
  values: Values | undefined;
  errors: [path: string, fieldError: FieldError][];
}

/** @param clears whether an empty cell clears the value */
export function customValues(
  { fields, fieldColumns }: { fields: CompanyFields; fieldColumns: ReadonlyMap<string, number> },
  cells: readonly Cell[],
  before: { id: string; custom_fields: unknown } | undefined,
  clears: boolean,
): CustomValues {
  if (fields.active.length === 0) return { values: undefined, errors: [] };
  const sent: Record<string, unknown> = {};
  for (const [path, column] of fieldColumns) {
    if (!isCustomField(path)) continue;
    const key = path.slice(prefix.length);
    const field = fields.byKey.get(key);
    const value = field ? cellValue(field, cells[column] ?? null) : (cells[column] ?? null);
    if (value !== null || clears) sent[key] = value;
  }
  const viewer = { ...importer, member: { ...importer.member, fields } };
  const { values, errors } = checkValues(fields, viewer, sent, before);
  const errorList = Object.entries(errors).flatMap(([path, list]) =>
    list.map((error) => [path, error] as [string, FieldError]),
  );
  return { values: Object.keys(values).length > 0 ? values : undefined, errors: errorList };
}

const kinds: Partial<Record<FieldDefinition['type'], CellKind>> = {
  number: 'number',
  boolean: 'boolean',
  date: 'date',
};

export function customKind({ byKey }: CompanyFields, path: CustomFieldKey): CellKind {
  return kinds[byKey.get(path.slice(prefix.length))?.type ?? 'text'] ?? 'text';
}

/** The API value of a cell; an invalid one is returned unchanged, to be rejected. */
export function cellValue({ type, options }: CompanyField, cell: Cell): unknown {
  if (cell === null) return null;
  if (type === 'long_text') return String(cell);
  const value = fieldValue(cell, kinds[type] ?? 'text');
  if (type === 'boolean') return typeof value === 'string' ? (booleanWords.get(value.toLowerCase()) ?? value) : value;
  if (type === 'choice') return optionOf(options, String(value));
  if (type !== 'multi_choice') return value;
  return String(value)
    .split(/[;\n]/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => optionOf(options, text));
}

/** In addition to the words that all columns accept. Includes TRUE and FALSE as localized spreadsheets write them to CSV. */
export const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...['yes', 'sim', 'sí', 'si', 'ja', 'oui', 'verdadeiro', 'verdadero', 'wahr', 'vrai', 'x'].map(
    (word) => [word, true] as const,
  ),
  ...['no', 'não', 'nao', 'nein', 'non', 'falso', 'falsch', 'faux'].map((word) => [word, false] as const),
]);

function optionOf(options: CompanyField['options'], text: string): string {
  if (options.some(({ key }) => key === text)) return text;
  const name = text.toLowerCase();
  const named = options.filter(({ label }) => Object.values(label).some((each) => each?.toLowerCase() === name));
  return named.length === 1 ? named[0]!.key : text;
}
