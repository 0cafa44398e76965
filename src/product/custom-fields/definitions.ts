/** The custom fields of a company as the API returns them. */
import type { components } from '../../../generated/api.ts';
import { notFound } from '../../contract/problem.ts';
import type { CompanyFields, FieldDefinition } from '../../identity/members/company-fields.ts';
import type { Member } from '../../identity/members/member.ts';
import { lockNamed } from '../../platform/db/named-lock.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { entityTag } from '../../platform/values/entity-tag.ts';

type CustomField = components['schemas']['CustomField'];

type Progress = Readonly<Record<string, number>>;

export function fieldResponse(
  fields: CompanyFields,
  definition: FieldDefinition,
  progress: Progress = {},
): CustomField {
  const { deletion, ...rest } = definition;
  return { ...rest, position: fields.all.indexOf(definition) + 1, deletion: deletionResponse(definition, progress) };
}

function deletionResponse({ key, deletion }: FieldDefinition, progress: Progress): CustomField['deletion'] {
  if (!deletion) return null;
  const { requested_at: requestedAt, people_total: peopleTotal } = deletion;
  return {
    requested_at: requestedAt,
    people_total: peopleTotal,
    people_done: Math.min(progress[key] ?? 0, peopleTotal),
  };
}

/** A strong validator of the representation (RFC 9110, section 8.8.3), without the progress of a deletion. */
export function fieldEtag(fields: CompanyFields, definition: FieldDefinition): string {
  return entityTag(fieldResponse(fields, definition));
}

export function fieldLocation({ key }: { key: string }): string {
  return `/v1/custom-fields/${key}`;
}

/** The fields a member may know: all for admins; for others those they can read of someone. */
export function knownFields({ role, fields }: Pick<Member, 'role' | 'fields'>): FieldDefinition[] {
  if (!fields) return [];
  if (role === 'admin') return [...fields.all];
  return fields.active
    .filter(({ readers }) => readers[role] !== 'none')
    .map((field) => definitionOf(fields, field.key));
}

/** @throws 404 */
export function findField(member: Pick<Member, 'role' | 'fields'>, key: string): FieldDefinition {
  const found = knownFields(member).find((field) => field.key === key);
  if (!found) throw notFound();
  return found;
}

function definitionOf({ all }: CompanyFields, key: string): FieldDefinition {
  return all.find((field) => field.key === key)!;
}

export async function deletionProgress(tenant: Tenant): Promise<Progress> {
  const row = await tenant.selectFrom('custom_field_sets').select('progress').executeTakeFirst();
  return (row?.progress ?? {}) as Progress;
}

/** Excludes changes of fields and transactions that write values until the end of this one. Call it before locking rows. */
export async function lockDefinitions(tx: Tenant): Promise<void> {
  await lockNamed(tx, 'custom fields');
}
