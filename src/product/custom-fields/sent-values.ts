/** Validates sent values in the transaction that writes them. */
import type { CompanyFields } from '../../identity/members/company-fields.ts';
import type { Viewer } from '../../identity/members/member.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { CollaboratorRow } from '../access/records.ts';
import { lockedFields } from './in-transaction.ts';
import type { Values } from './unique-values.ts';
import { type CheckedValues, checkValues, requireWritable } from './write-values.ts';

type Writer = Pick<Viewer, 'caller' | 'member'>;

/** For a new person. Call it before locking rows. @throws 401 and 403 for fields the caller may not write */
export async function newValues(
  tx: TenantTransaction,
  writer: Writer,
  sent: Values | undefined,
): Promise<CheckedValues> {
  // Without values, the cached fields suffice to check required ones.
  const fields = sent ? await lockedFields(tx) : writer.member.fields!;
  if (sent) requireWritable(fields, writer, [{ sent }]);
  return checkValues(fields, writer, sent);
}

/** For a person whose row is locked, after `lockedFields`. @throws like `newValues` */
export function changedValues(
  fields: CompanyFields,
  writer: Writer,
  before: CollaboratorRow,
  sent: Values,
): CheckedValues {
  requireWritable(fields, writer, [{ sent, before }]);
  return checkValues(fields, writer, sent, before);
}
