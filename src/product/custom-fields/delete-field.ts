/**
 * Deletes a field: hides it, and removes its values from people and history in a job, which carries only the key; the definition
 * stores the state, so a lost or duplicate job is harmless.
 */
import { sql } from 'kysely';
import { readFields } from '../../identity/members/company-fields.ts';
import type { Caller } from '../../identity/members/member.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { flagsOf, versioned } from '../../platform/queue/job-versions.ts';
import { emit } from '../events/emit.ts';
import { changeable, requireSensitiveScope, type StoredDefinition, store, write } from './change-fields.ts';
import { deletionProgress, fieldResponse, lockDefinitions } from './definitions.ts';
import { forgetUniqueValues } from './unique-values.ts';

const task = 'eraseCustomField' as const;
const batchSize = 500;

export interface ErasureJob {
  company_id: string;
  key: string;
}

/** @throws 403 without the scope for a sensitive field; 404; 412 */
export async function deleteField(
  tenant: Tenant,
  caller: Caller & { user_id: string },
  key: string,
  expected: readonly string[] | undefined,
): Promise<StoredDefinition> {
  return tenant.transaction(async (tx) => {
    await lockDefinitions(tx);
    const fields = await readFields(tx);
    const before = changeable(fields, key, expected);
    if (before.sensitive) requireSensitiveScope(caller);
    const now = new Date().toISOString();
    const deletion = { requested_at: now, requested_by: caller.user_id, people_total: await countHolders(tx, key) };
    const definition = { ...before, archived: true, updated_at: now, deletion };
    const all = [...fields.all.filter((field) => field !== before), definition];
    const payload = JSON.stringify(versioned(task, { company_id: tx.company_id, key } satisfies ErasureJob));
    await sql`
      select graphile_worker.add_job(${task}, ${payload}::json, job_key => ${`custom-field:${tx.company_id}:${key}`},
        flags => ${flagsOf(task)}::text[])`.execute(tx.raw);
    return store(tx, caller, 'custom_field.archived', all, key);
  });
}

async function countHolders(tx: TenantTransaction, key: string): Promise<number> {
  const row = await tx
    .selectFrom('collaborators')
    .select(sql<number>`count(*)`.as('total'))
    .where(sql<unknown>`custom_fields -> ${key}`, 'is not', null)
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Removes the values, then the field. Idempotent, and continues an interrupted run. */
export async function eraseField(db: Database, { company_id: companyId, key }: ErasureJob): Promise<void> {
  const tenant = db.tenant(companyId);
  for (let after = nilUuid; ; ) {
    const last = await tenant.transaction((tx) => eraseBatch(tx, key, after));
    if (last === undefined) break;
    after = last;
  }
  await tenant.transaction(async (tx) => {
    await lockDefinitions(tx);
    const fields = await readFields(tx);
    const definition = fields.all.find((field) => field.key === key && field.deletion);
    if (!definition) return;
    await forgetUniqueValues(tx, key);
    const progress = await deletionProgress(tx);
    await write(
      tx,
      fields.all.filter((field) => field !== definition),
    );
    await sql`update custom_field_sets set progress = progress - ${key}::text where company_id = ${tx.company_id}`.execute(
      tx.raw,
    );
    emit(tx, 'custom_field.deleted', {
      field: fieldResponse(fields, definition, progress),
      changed_by: definition.deletion!.requested_by,
    });
  });
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** @returns the id of the last processed person; undefined at the end */
async function eraseBatch(tx: TenantTransaction, key: string, after: string): Promise<string | undefined> {
  const fields = await readFields(tx);
  if (!fields.all.some((field) => field.key === key && field.deletion)) return undefined;
  const people = await tx
    .selectFrom('collaborators')
    .select(['id', sql<boolean>`custom_fields -> ${key} is not null`.as('has_value')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(batchSize)
    .forNoKeyUpdate()
    .execute();
  if (people.length === 0) return undefined;
  const ids = people.map(({ id }) => id);
  await sql`
    update collaborators set custom_fields = nullif(custom_fields - ${key}::text, '{}'), revision = revision + 1
    where company_id = ${tx.company_id} and id = any(${ids}::uuid[]) and custom_fields -> ${key} is not null`.execute(
    tx.raw,
  );
  await sql`
    update collaborator_history set changes = (
      select coalesce(jsonb_agg(
        case when change ->> 'field' <> ${`custom_fields.${key}`} then change
        else jsonb_build_object('field', change -> 'field', 'from', null, 'to', null) end order by place), '[]')
      from jsonb_array_elements(changes) with ordinality as change (change, place)
    )
    where company_id = ${tx.company_id} and collaborator_id = any(${ids}::uuid[])
      and changes @> ${JSON.stringify([{ field: `custom_fields.${key}` }])}::jsonb`.execute(tx.raw);
  const done = people.filter((person) => person.has_value).length;
  if (done > 0) await addProgress(tx, key, done);
  return ids.at(-1);
}

async function addProgress(tx: TenantTransaction, key: string, people: number): Promise<void> {
  const sum = (await deletionProgress(tx))[key] ?? 0;
  const progress = JSON.stringify({ [key]: sum + people });
  await sql`update custom_field_sets set progress = progress || ${progress}::jsonb where company_id = ${tx.company_id}`.execute(
    tx.raw,
  );
}
