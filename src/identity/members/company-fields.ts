/**
 * The fields that a company has defined for its people, as requests need them: what is asked for, shown and hidden depends on them.
 * Admins define them (`product/custom-fields`).
 *
 * They are read with a membership and remembered with it (`member.ts`), as the policy is: a change counts within a second in every
 * process. A transaction that writes values reads them again under a lock. A company has one row of them with a version, so what
 * was read once is only asked whether it still is.
 */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { FieldAccess } from '../../contract/contract.ts';
import { preparedQuery } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

/** The scope of sensitive values. */
export const sensitiveScope = 'custom_fields:sensitive';

type CustomField = components['schemas']['CustomField'];

/** As it is stored. Its position is where it stands among them. */
export type FieldDefinition = Omit<CustomField, 'position' | 'deletion'> & {
  /** Undefined for a field that stays. */
  deletion?: { requested_at: string; requested_by: string | null; people_total: number };
};

/** A field that people have: neither archived nor about to be deleted. */
export interface CompanyField extends FieldDefinition {
  /** Its name in answers: `custom_fields.<key>`. */
  path: string;
  readers: FieldAccess;
  writers: FieldAccess;
}

export interface CompanyFields {
  /** Another one after each change, that was never given out before: a transaction may read what is undone later. */
  version: string;
  /** All there are, in their order. */
  all: readonly FieldDefinition[];
  /** Those that people have. */
  active: readonly CompanyField[];
  byKey: ReadonlyMap<string, CompanyField>;
}

export const noFields: CompanyFields = Object.freeze({
  version: '00000000-0000-0000-0000-000000000000',
  all: [],
  active: [],
  byKey: new Map(),
});

const mostRemembered = 1_000;
/** What was last read of each company. The oldest comes first. */
const remembered = new Map<string, CompanyFields>();

/** As they are; within a transaction that has locked them, as they stay until its end. */
export async function readFields(tenant: Tenant): Promise<CompanyFields> {
  const known = remembered.get(tenant.company_id);
  const [row] = await otherThan(tenant, known?.version ?? noFields.version);
  if (!row) return noFields;
  if (row.definitions === null) return known!;
  const fields = companyFields(row.version, row.definitions as FieldDefinition[]);
  remember(tenant.company_id, fields);
  return fields;
}

const otherThan = preparedQuery((tenant, version: string) =>
  tenant
    .selectFrom('custom_field_sets')
    .select(['version', sql<unknown>`case when version <> ${version}::uuid then definitions end`.as('definitions')]),
);

function remember(companyId: string, fields: CompanyFields): void {
  remembered.delete(companyId); // to the end
  if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!);
  remembered.set(companyId, fields);
}

function companyFields(version: string, all: readonly FieldDefinition[]): CompanyFields {
  const active = all.filter(({ archived, deletion }) => !archived && !deletion).map(companyField);
  return { version, all, active, byKey: new Map(active.map((field) => [field.key, field])) };
}

function companyField(definition: FieldDefinition): CompanyField {
  const { key, read, write } = definition;
  return {
    ...definition,
    path: `custom_fields.${key}`,
    readers: rule(definition, read),
    writers: rule(definition, write),
  };
}

/** The rule of a field, as the contract has those of others. @param least the least role that may */
function rule({ sensitive }: FieldDefinition, least: CustomField['read']): FieldAccess {
  return {
    admin: 'all',
    manager: least === 'admin' ? 'none' : 'team',
    employee: least === 'employee' ? 'self' : 'none',
    ...(sensitive && { scopes: [sensitiveScope], step_up: true }),
  };
}
