/** The fields that columns can map to, and their header names. */

import type { Text } from '../../../../contract/languages/text.ts';
import type { CompanyFields } from '../../../../identity/members/company-fields.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { type Field, headerMeaning } from '../../../../platform/sheets/headers/headers.ts';
import type { CellKind } from '../../../../platform/sheets/model/types.ts';
import { columnHeaders } from '../../../collaborators/column-headers.ts';
import { columnNames, halfNames, importOnlyNames, readOnlyNames } from '../../../collaborators/fields/column-names.ts';
import {
  type ImportField,
  importColumns,
  importOnlyColumns,
  readOnlyColumns,
} from '../../../collaborators/fields/sheet-columns.ts';
import { type CustomFieldKey, customHeaderFields, customKind, isCustomField } from './custom-field-columns.ts';

/** An imported field, the id of an existing person, or an import-only field of other systems. */
export type TableField = ImportField | CustomFieldKey | (typeof importOnlyColumns)[number]['key'] | 'id';

export const allFields: Field[] = [
  ...importColumns.map((column) => ({ ...column, aliases: Object.values(columnNames[column.key]).flat() })),
  ...importOnlyColumns.map((column) => ({ ...column, required: false, aliases: importOnlyNames[column.key] })),
  ...readOnlyColumns.flatMap((column) => {
    if (column.key === 'status' || column.key === 'manager_name') return []; // imported under other keys
    return [{ ...column, required: false, aliases: readOnlyNames[column.key] }];
  }),
  { key: 'errors', required: false }, // the column of an error report
];
/** For existing people only a match field is required. */
const fieldsForExisting = allFields.map((field) => ({ ...field, required: false }));
export const meaning = headerMeaning(allFields);

/** Standard fields come last, because the last field with a name wins. */
export function fieldsFor(mode: string, fields: CompanyFields): Field[] {
  return [...customHeaderFields(fields.active), ...(mode === 'upsert' ? fieldsForExisting : allFields)];
}

const kinds = new Map<string, CellKind>(importColumns.map(({ key, kind }) => [key, kind]));

export function kindOf(key: string | undefined, fields: CompanyFields): CellKind {
  return isCustomField(key) ? customKind(fields, key) : (kinds.get(key ?? '') ?? 'text');
}

export const halves = new Set(halfNames.map(plainName));
export const managerFields = ['manager_email', 'manager_id', 'manager_employee_number', 'manager'] as const;
const imported = new Set<string>(importColumns.map(({ key }) => key));
const tableFieldKeys = new Set<string>([...imported, ...importOnlyColumns.map(({ key }) => key)]);

export function isImported(key: string | undefined): key is ImportField {
  return key !== undefined && imported.has(key);
}

export function isTableField(key: string | undefined): key is TableField {
  return key !== undefined && (tableFieldKeys.has(key) || isCustomField(key));
}

export function labelOf(key: TableField): Text | string {
  return isImported(key) ? columnHeaders[key] : key;
}

/** Whether a column with these values may be the field: addresses have a pattern, and names are words. */
export function mayBe(key: TableField, values: readonly string[]): boolean {
  if (values.length === 0) return false;
  if (key === 'email') return values.every((value) => /^[^\s@]+@[^\s@]+$/.test(value));
  return values.every((value) => /\p{L}/u.test(value) && !value.includes('@'));
}
