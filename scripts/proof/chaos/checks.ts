// Invariants to check after the traffic. Each check reports violations, and how many items it checked.
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Check } from './check.ts';
import { deliveries, events } from './delivery-checks.ts';
import { differences, type Model, type PersonFields } from './model.ts';
import type { TrafficLog } from './traffic-log.ts';
import type { World } from './world.ts';

export async function checkAll(
  world: World,
  model: Model,
  trafficLog: TrafficLog,
): Promise<[label: string, count: number][]> {
  const found: [string, number][] = [];
  for (const check of checks) found.push(await check(world, model, trafficLog.violation));
  return found;
}

/** Every acknowledged write exists with its last values, and was executed once. */
const people: Check = async ({ postgres }, model, violation) => {
  const rows = await postgres.query<PersonFields & { id: string }>(
    `select id, name, email, position, department, phone, location, salary::float8 as salary, status, role,
       deleted_at is not null as deleted from collaborators`,
  );
  const entries = await postgres.query<{ collaborator_id: string; action: string; entries: number }>(
    'select collaborator_id, action, count(*)::int as entries from collaborator_history group by 1, 2',
  );
  const rowsById = new Map(rows.map(({ id, ...fields }) => [id, fields]));
  const entriesById = Map.groupBy(entries, ({ collaborator_id: collaboratorId }) => collaboratorId);
  for (const { id, fields, actions, doubt } of model.people) {
    const row = rowsById.get(id);
    if (!row) {
      violation(`an acknowledged person is not there: ${id}`);
      continue;
    }
    const states = doubt ? [fields, doubt.fields] : [fields];
    const mismatches = states.map((state) => differences(state, row));
    if (mismatches.every((mismatch) => mismatch.length > 0)) violation(`${id} has ${mismatches[0]!.join(', ')}`);
    const found = new Map((entriesById.get(id) ?? []).map(({ action, entries }) => [action, entries]));
    for (const action of new Set([...actions.keys(), ...found.keys()])) {
      const [expected, actual] = [actions.get(action) ?? 0, found.get(action) ?? 0];
      const unsure = doubt?.action === action;
      const fits =
        actual === expected || (unsure && actual > expected && (actual === expected + 1 || action === 'photo_updated'));
      if (!fits) violation(`the history of ${id} has ${action} ${actual} times, and ${expected} were acknowledged`);
    }
  }
  return ['people with their last acknowledged values and the history of them', model.people.length];
};

/** Unacknowledged writes were executed at most once; nobody has another's email address. */
const addresses: Check = async ({ postgres }, model, violation) => {
  const emails = [...model.doubts.emails.map(({ email }) => email), ...model.imports.flatMap(({ emails }) => emails)];
  const many = await postgres.query<{ email: string; people: number }>(
    'select email, count(*)::int as people from collaborators where email = any($1::text[]) group by 1 having count(*) > 1',
    [emails],
  );
  for (const { email, people } of many) violation(`${email} was made ${people} times`);
  const shared = await postgres.query<{ email: string }>(
    `select lower(email) as email from collaborators where deleted_at is null group by company_id, 1 having count(*) > 1`,
  );
  for (const { email } of shared) violation(`several people of a company have ${email}`);
  return ['addresses of people that were made at most once', emails.length];
};

/** Each history entry starts where the previous one ended, and the last one matches the row. */
const histories: Check = async ({ postgres }, _model, violation) => {
  interface Entry {
    collaborator_id: string;
    action: string;
    changes: { field: string; from: unknown; to: unknown }[];
  }
  const entries = await postgres.query<Entry>(
    'select collaborator_id, action, changes from collaborator_history order by collaborator_id, timestamp, id',
  );
  const rows = await postgres.query<Record<string, unknown> & { id: string; deleted: boolean }>(
    `select id, name, email, phone, position, department, status, role, hire_date::text, salary::float8, manager_id,
       work_schedule, location, deleted_at is not null as deleted from collaborators`,
  );
  const byId = Map.groupBy(entries, ({ collaborator_id: collaboratorId }) => collaboratorId);
  for (const row of rows) {
    const own = byId.get(row.id) ?? [];
    const created = own.filter(({ action }) => action === 'created').length;
    if (created !== 1) violation(`${row.id} was created ${created} times by its history`);
    const last = own.filter(({ action }) => action === 'deleted' || action === 'restored').at(-1)?.action;
    if (row.deleted !== (last === 'deleted'))
      violation(`${row.id} is deleted: ${row.deleted}, its history says: ${last}`);
    const values = new Map<string, unknown>();
    for (const { field, from, to } of own.flatMap(({ changes }) => changes)) {
      if (!(field in row)) continue; // of documents, photos, and preferences
      if (values.has(field) && values.get(field) !== from) {
        violation(`the history of ${row.id} has ${field} go from ${values.get(field)} to ${to}, by way of ${from}`);
      }
      values.set(field, to);
    }
    for (const [field, value] of values) {
      if (row[field] !== value)
        violation(`the history of ${row.id} ends at ${field} ${value}, the row has ${row[field]}`);
    }
  }
  return ['entries of histories that lead to the rows', entries.length];
};

const counts: Check = async ({ postgres }, _model, violation) => {
  const rows = await postgres.query<{ company_id: string; kept: string; counted: string }>(
    `select company_id,
       (select concat_ws('/', sum(active), sum(inactive), sum(pending)) from collaborator_counts k
         where k.company_id = c.company_id) as kept,
       concat_ws('/', count(*) filter (where status = 'active'), count(*) filter (where status = 'inactive'),
         count(*) filter (where status = 'pending')) as counted
     from collaborators c where deleted_at is null group by company_id`,
  );
  for (const { kept, counted } of rows)
    if (kept !== counted) violation(`a company counts ${kept} people and has ${counted}`);
  return ['companies whose counts are those of their people', rows.length];
};

const files: Check = async ({ postgres, storage }, model, violation) => {
  const rows = await postgres.query<{ id: string; collaborator_id: string; key: string | null; sha256: Buffer }>(
    'select id, collaborator_id, key, sha256 from documents',
  );
  const hashes = new Map<string, string>();
  for (const { id, key, sha256 } of rows) {
    if (key === null) continue;
    const bytes = await storage.read(key).then(buffer, () => undefined);
    if (!bytes) violation(`document ${id} has no object`);
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256.toString('hex')) {
      violation(`the object of document ${id} has other bytes`);
    }
    hashes.set(id, sha256.toString('hex'));
  }
  for (const { id: personId, documents, doubt } of model.people) {
    for (const { id, sha256, deleted } of documents) {
      if (deleted && hashes.has(id)) violation(`a deleted document is there: ${id}`);
      if (!deleted && hashes.get(id) !== sha256) violation(`an acknowledged document is not there: ${id}`);
    }
    const most = documents.length + (model.unsureDocuments.get(personId) ?? 0);
    const found = rows.filter(({ collaborator_id: collaboratorId }) => collaboratorId === personId).length;
    if (found > most && doubt?.action !== 'document_deleted')
      violation(`${personId} has ${found} of ${most} documents`);
  }
  const keys = await postgres.query<{ what: string; key: string }>(
    `select 'photo' as what, avatar_key as key from collaborators where avatar_key is not null
     union all select 'import', key from imports where key is not null
     union all select 'import report', report_key from imports where report_key is not null
     union all select 'export', key from exports where status = 'completed'`,
  );
  for (const { what: label, key } of keys) {
    if ((await storage.size(key)) === undefined) violation(`a file of a ${label} is not there: ${key}`);
  }
  return ['rows of files that have their object, documents with the right bytes', rows.length + keys.length];
};

const imports: Check = async ({ postgres }, model, violation) => {
  const rows = await postgres.query<{
    id: string;
    filename: string;
    status: string;
    created_count: number;
    reason: string | null;
    failure: string;
  }>('select id, filename, status, created_count, failure_reason as reason, failure_message as failure from imports');
  const createdPeople = await postgres.query<{ email: string; people: number }>(
    'select email, count(*)::int as people from collaborators where email = any($1::text[]) group by 1',
    [model.imports.flatMap(({ emails }) => emails)],
  );
  const people = new Map(createdPeople.map(({ email, people }) => [email, people]));
  for (const { id, filename, emails } of model.imports) {
    const found = rows.filter((row) => row.filename === filename);
    if (id ? found.length !== 1 : found.length > 1)
      violation(`the import of ${filename} is there ${found.length} times`);
    const [row] = found;
    if (!row) continue;
    if (row.reason === 'interrupted' && row.created_count === 0) continue; // two processes were killed while running it
    if (row.status !== 'completed') violation(`an import is ${row.status} (${row.failure})`);
    const written = emails.filter((email) => people.get(email) === 1).length;
    if (row.created_count !== written || written !== emails.length) {
      violation(`an import of ${emails.length} rows counts ${row.created_count} people, and ${written} are there once`);
    }
  }
  return ['imports that ended, with every row once', model.imports.length];
};

const mails: Check = async ({ smtp }, { invited }, violation) => {
  const reached = new Set(smtp.received.flatMap(({ to }) => to));
  const missing = invited.filter((email) => !reached.has(email));
  if (missing.length > 0) violation(`${missing.length} invitations were acknowledged and never mailed: ${missing[0]}`);
  return ['invitations that were mailed', invited.length];
};

/** No locks held by dead processes, and no abandoned jobs. */
const leftovers: Check = async ({ postgres }, _model, violation) => {
  const [found] = await postgres.query<Record<string, number>>(
    `select
       (select count(*)::int from graphile_worker.jobs where locked_at < now() - interval '130 s') as "jobs that are locked",
       (select count(*)::int from graphile_worker.jobs where attempts >= max_attempts) as "jobs that were given up",
       (select count(*)::int from graphile_worker.jobs
         where locked_at is null and attempts < max_attempts and run_at < now() - interval '5 s') as "jobs that are overdue",
       (select count(*)::int from deliveries d join webhooks w on w.company_id = d.company_id and w.id = d.webhook_id
         where d.status = 'delivering' and w.status = 'active' and not exists (
           select from graphile_worker._private_jobs j where j.id = d.job_id and j.locked_at is not null
         )) as "deliveries under way that nobody sends",
       (select count(*)::int from imports where due_at is not null) as "open imports",
       (select count(*)::int from exports where due_at is not null) as "open exports",
       (select count(*)::int from pg_stat_activity
         where state like 'idle in transaction%' and state_change < now() - interval '2 s') as "transactions left open",
       (select count(*)::int from pg_stat_activity
         where wait_event_type = 'Lock' and state_change < now() - interval '2 s') as "statements that wait for a lock"`,
  );
  for (const [label, count] of Object.entries(found!)) if (count > 0) violation(`${count} ${label}`);
  return ['kinds of leftovers that are not there', Object.keys(found!).length];
};

const checks: Check[] = [people, addresses, histories, events, deliveries, counts, files, imports, mails, leftovers];
