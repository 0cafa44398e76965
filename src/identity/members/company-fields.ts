/**
 * A company's custom fields, which determine what requests accept, return, and hide. Admins define them
 * (`product/custom-fields`).
 *
 * They are loaded and cached with a membership (`member.ts`), like the policy, so changes apply in every process within a second.
 * Transactions that write values read them again under a lock. A company has one row with a version, so a cached definition only
 * needs a version check.
 */
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { FieldAccess } from '../../contract/contract.ts';
import { preparedQuery } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/db/tenant.ts';

export const sensitiveScope = 'custom_fields:sensitive';

type CustomField = components['schemas']['CustomField'];

/** As stored, in order of position. */
export type FieldDefinition = Omit<CustomField, 'position' | 'deletion'> & {
  /** Set while a deletion is pending. */
  deletion?: { requested_at: string; requested_by: string | null; people_total: number };
};

/** A field in use: neither archived nor about to be deleted. */
export interface CompanyField extends FieldDefinition {
  /** Its name in responses: `custom_fields.<key>`. */
  path: string;
  readers: FieldAccess;
  writers: FieldAccess;
}

export interface CompanyFields {
  /** Unique for every change, even a rolled-back one, because a transaction may read uncommitted definitions of its own. */
  version: string;
  /** In order. */
  all: readonly FieldDefinition[];
  /** Fields in use. */
  active: readonly CompanyField[];
  byKey: ReadonlyMap<string, CompanyField>;
}

export const noFields: CompanyFields = Object.freeze({
  version: '00000000-0000-0000-0000-000000000000',
  all: [],
  active: [],
  byKey: new Map(),
});

const maxRemembered = 1_000;
/** A cache of each company's definitions, least recently used first. */
const cache = new Map<string, CompanyFields>();

/** The current fields; stable within a transaction that has locked them. */
export async function readFields(tenant: Tenant): Promise<CompanyFields> {
  const known = cache.get(tenant.company_id);
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
  cache.delete(companyId); // to the end
  if (cache.size >= maxRemembered) cache.delete(cache.keys().next().value!);
  cache.set(companyId, fields);
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

/** The access rules of a field, in the contract's format. @param minRole the lowest role with access */
function rule({ sensitive }: FieldDefinition, minRole: CustomField['read']): FieldAccess {
  return {
    admin: 'all',
    manager: minRole === 'admin' ? 'none' : 'team',
    employee: minRole === 'employee' ? 'self' : 'none',
    ...(sensitive && { scopes: [sensitiveScope], step_up: true }),
  };
}
