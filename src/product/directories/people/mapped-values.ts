/** Custom field values from the attributes that a directory's mapping names. */
import { validationError } from '../../../contract/problem.ts';
import type { CompanyFields } from '../../../identity/members/company-fields.ts';
import type { TenantTransaction } from '../../../platform/db/tenant.ts';
import type { Cell } from '../../../platform/sheets/model/types.ts';
import { lockedFields } from '../../custom-fields/in-transaction.ts';
import type { Values } from '../../custom-fields/unique-values.ts';
import { checkValues } from '../../custom-fields/write-values.ts';
import { cellValue } from '../../imports/rows/columns/custom-field-columns.ts';
import { type Attributes, isObject } from '../attributes.ts';
import type { FieldMapping } from '../directories.ts';
import type { DirectoryContext } from '../directory-context.ts';

/** The mapping and fields; undefined without a mapping. Call it before locking rows. */
export async function mappedFields(
  tx: TenantTransaction,
  { directory }: DirectoryContext,
): Promise<ResolvedMapping | undefined> {
  const mapping = directory.field_mapping as unknown as FieldMapping;
  return mapping.length > 0 ? { mapping, fields: await lockedFields(tx) } : undefined;
}

export interface ResolvedMapping {
  mapping: FieldMapping;
  fields: CompanyFields;
}

/** An admin has decided what the directory may write. */
const directoryWriter = { caller: { scopes: [] }, member: { collaborator_id: '', role: 'admin' as const } };

/**
 * Sets values that the directory sends, and clears those it no longer sends. Fields archived or deleted since stay untouched.
 * @param earlier the previous attributes; undefined for a person being added
 * @throws 400 `validation_error` for an invalid value
 */
export function mappedValues(
  mapped: ResolvedMapping | undefined,
  attributes: Attributes,
  earlier: Attributes | undefined,
  before: { id: string; custom_fields: unknown } | undefined,
): Values | undefined {
  if (!mapped) return undefined;
  const sent: Record<string, unknown> = {};
  for (const { attribute, custom_field: key } of mapped.mapping) {
    const field = mapped.fields.byKey.get(key);
    if (!field || field.sensitive) continue;
    const cell = cellOf(valueAt(attributes, attribute));
    if (cell !== null) sent[key] = cellValue(field, cell);
    else if (earlier && valueAt(earlier, attribute) !== undefined) sent[key] = null;
  }
  const own = { ...directoryWriter, member: { ...directoryWriter.member, fields: mapped.fields } };
  const { values, errors } = checkValues(mapped.fields, own, sent, before ?? { id: '', custom_fields: null });
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return values;
}

/** Names of the custom fields that these attributes fill. */
export function mappedNames(mapped: ResolvedMapping | undefined, attributes: Attributes): string[] {
  if (!mapped) return [];
  const filled = mapped.mapping.filter(({ attribute, custom_field: key }) => {
    const field = mapped.fields.byKey.get(key);
    return field && !field.sensitive && cellOf(valueAt(attributes, attribute)) !== null;
  });
  return filled.map(({ custom_field: key }) => `custom_fields.${key}`);
}

/** By schema-qualified name, or by dotted path. */
function valueAt(attributes: Attributes, attribute: string): unknown {
  const [, schema, rest] = /^(urn:.+):([^:]+)$/.exec(attribute) ?? [];
  const root = schema === undefined ? attributes : attributes[schema];
  return (rest ?? attribute)
    .split('.')
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), root);
}

/** Like a cell of an import; lists are joined. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return value.map((each) => cellOf(each) ?? '').join(';') || null;
  if (isObject(value)) return cellOf(value.value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
