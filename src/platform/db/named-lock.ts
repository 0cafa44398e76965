import { sql } from 'kysely';
import type { Tenant } from './tenant.ts';

/** Serializes transactions of a company that take the same lock, until the end of this one. */
export async function lockNamed({ company_id: companyId, raw }: Tenant, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${name} ${companyId}`}, 0))`.execute(raw);
}
