/** Maps attributes of a directory's people to custom fields. */
import { t } from '../../contract/languages/text.ts';
import { type FieldError, type FieldErrors, validationError } from '../../contract/problem.ts';
import type { CompanyField } from '../../identity/members/company-fields.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { lockedFields } from '../custom-fields/in-transaction.ts';
import { canonicalPath } from './attributes.ts';
import type { FieldMapping } from './directories.ts';
import { ScimProblem } from './scim-problem.ts';

/** Call it before locking rows. @throws 400 for an unknown field, or one a directory may not write */
export async function checkedFieldMapping(tx: TenantTransaction, mapping: FieldMapping): Promise<FieldMapping> {
  const { byKey } = await lockedFields(tx);
  const errors: FieldErrors = {};
  const checked = mapping.map(({ attribute, custom_field: key }, at) => {
    const path = `field_mapping.${at}`;
    const isDuplicate = mapping.findIndex((each) => each.custom_field === key) < at;
    const error = isDuplicate ? duplicateField : errorOf(byKey.get(key));
    if (error) errors[`${path}.custom_field`] = [error];
    const name = nameOf(attribute);
    if (name === undefined) errors[`${path}.attribute`] = [noAttribute];
    return { attribute: name ?? attribute, custom_field: key };
  });
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return checked;
}

function errorOf(field: CompanyField | undefined): FieldError | undefined {
  if (!field) return { code: 'not_found', message: t`The company has no such field.` };
  return field.sensitive
    ? { code: 'field_not_allowed', message: t`A directory can't fill a sensitive field.` }
    : undefined;
}

function nameOf(attribute: string): string | undefined {
  try {
    return canonicalPath(attribute);
  } catch (error) {
    if (error instanceof ScimProblem) return undefined;
    throw error;
  }
}

const duplicateField: FieldError = { code: 'taken', message: t`Another attribute fills this field.` };
const noAttribute: FieldError = { code: 'invalid_format', message: t`There is no attribute of this name.` };
