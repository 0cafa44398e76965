/** The fields that a column of a file can be, and the headers that mean them. */

import type { CompanyFields } from '../../../../identity/members/company-fields.ts';
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import { type Field, headerMeaning } from '../../../../platform/sheets/headers/headers.ts';
import type { CellKind } from '../../../../platform/sheets/model/types.ts';
import { columnNames, halfNames, importOnlyNames, readOnlyNames } from '../../../collaborators/fields/column-names.ts';
import {
  type ImportField,
  importColumns,
  importOnlyColumns,
  readOnlyColumns,
} from '../../../collaborators/fields/sheet-columns.ts';
import { isOwn, type OwnKey, ownFields } from './own-columns.ts';

/** What a column can be: a field that is imported, the id of who is changed, or what other systems say in other ways. */
export type TableField = ImportField | OwnKey | (typeof importOnlyColumns)[number]['key'] | 'id';

export const allFields: Field[] = [
  ...importColumns.map((column) => ({ ...column, aliases: Object.values(columnNames[column.key]).flat() })),
  ...importOnlyColumns.map((column) => ({ ...column, required: false, aliases: importOnlyNames[column.key] })),
  ...readOnlyColumns.flatMap((column) => {
    if (column.key === 'status' || column.key === 'manager_name') return []; // imports have them under other keys
    return [{ ...column, required: false, aliases: readOnlyNames[column.key] }];
  }),
  { key: 'errors', required: false }, // of a corrected error report
];
/** Of someone who exists only what they are found by is needed. */
const forExisting = allFields.map((field) => ({ ...field, required: false }));
export const meaning = headerMeaning(allFields);

/** What everybody has comes last, and so first: a name means the last that has it. */
export function fieldsFor(mode: string, fields: CompanyFields): Field[] {
  return [...ownFields(fields.active), ...(mode === 'upsert' ? forExisting : allFields)];
}

/** What a column of a field holds. */
const kinds = new Map<string, CellKind>(importColumns.map(({ key, kind }) => [key, kind]));

export function kindOf(key: string | undefined): CellKind {
  return kinds.get(key ?? '') ?? 'text';
}

export const halves = new Set(halfNames.map(plainName));
export const managerFields = ['manager_email', 'manager_id', 'manager_employee_number', 'manager'] as const;
const imported = new Set<string>(importColumns.map(({ key }) => key));
const understood = new Set<string>([...imported, ...importOnlyColumns.map(({ key }) => key)]);

export function isImported(key: string | undefined): key is ImportField {
  return key !== undefined && imported.has(key);
}

export function isTableField(key: string | undefined): key is TableField {
  return key !== undefined && (understood.has(key) || isOwn(key));
}
