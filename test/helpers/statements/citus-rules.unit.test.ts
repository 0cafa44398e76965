/** Statements that a cluster rejected, sent to too many nodes, or executed differently than a single Postgres. */
import { type RuleName, rules, validateStatement } from './citus-rules.ts';

const refused: [RuleName, string][] = [
  [
    'volatile in a change',
    'update collaborators set updated_at = greatest(clock_timestamp(), collaborators.updated_at) where company_id = $1',
  ],
  ['volatile in a change', 'update webhooks set id = gen_random_uuid() where company_id = $1'],
  [
    'volatile in a change',
    `update companies set name = $1 where exists (select from companies as later
      where later.created_at <= clock_timestamp() - $2 * interval '1 second')`,
  ],
  ['volatile in a change', 'delete from webhooks where company_id = $1 and a_function_of_tomorrow(id) = $2'],
  [
    'changing value in case or coalesce',
    `update deliveries set due_at = case when status = 'pending' then statement_timestamp() end where company_id = $1`,
  ],
  [
    'changing value in case or coalesce',
    `with ended as (select $2::uuid as id, $3::float8 as wait_s), written as (
       update deliveries set due_at = case when status = 'pending' then due_at + make_interval(secs => ended.wait_s) end
       from ended where deliveries.company_id = $1 and deliveries.id = ended.id returning deliveries.id
     ) select id from written`,
  ],
  [
    'changing value in case or coalesce',
    'update collaborators set erased_at = coalesce(erased_at, now()) where company_id = $1',
  ],
  [
    'changing value in case or coalesce',
    `delete from events where company_id = $1 and coalesce(created_at, now() - interval '1 day') < $2`,
  ],
  [
    'changing value of a column',
    `delete from companies as c where not exists (select from companies as other
      where sha256(convert_to(c.name, 'UTF8')) = sha256(convert_to(other.name, 'UTF8')))`,
  ],
  ['changing value of a column', `update invitations set sent_at = sent_at - interval '61 s' where company_id = $1`],
  [
    'changing value of a column',
    'delete from events where company_id = $1 and created_at + make_interval(days => 30) < now()',
  ],
  ['changing value in returning', 'delete from webhooks where company_id = $1 returning id, clock_timestamp() as at'],
  ['changing value in returning', 'insert into webhooks (company_id, id) values ($1, $2) returning current_timestamp'],
  [
    'changing value in do update',
    `insert into idempotency_keys (company_id, key_hash) values ($1, $2)
      on conflict (company_id, key_hash) do update set created_at = now()`,
  ],
  [
    'changing value in do update',
    `insert into notification_preferences (company_id, collaborator_id) values ($1, $2)
      on conflict (company_id, collaborator_id) do update set updated_at = clock_timestamp()`,
  ],
  ['query in values', 'insert into events (company_id, name) values ($1, (select name from companies where id = $1))'],
  [
    'short form of case',
    `update collaborator_history set description = case action when 'invited' then 'Invited' else description end,
      changes = (select jsonb_agg(change) from jsonb_array_elements(changes) as change) where company_id = $1`,
  ],
  [
    'several inserting parts',
    `with history as (insert into collaborator_history (company_id, collaborator_id) values ($1, $2))
      insert into collaborators (company_id, id) values ($1, $2)`,
  ],
  [
    'several inserting parts',
    `with history as (insert into collaborator_history (company_id, collaborator_id) values ($1, $2)),
      person as (insert into collaborators (company_id, id) values ($1, $2)) select 1`,
  ],
  [
    'reads what it changes',
    `with added as (insert into mail_counts (company_id, day, mails) values ($1, $2, 1) returning day)
      select (select count(*) from mail_counts where company_id = $1) from added`,
  ],
  [
    'tables of the cluster beside local ones',
    'select 1 from events join rate_limits on true where events.company_id = $1',
  ],
  [
    'tables of the cluster beside local ones',
    'select 1 from events join graphile_worker.jobs on true where events.company_id = $1',
  ],
  ['across companies', 'select company_id, id from deliveries order by due_at limit 5 for update skip locked'],
  ['across companies', 'delete from events where created_at < $1'],
];

test.each(refused)('%s: %s', (rule, statement) => {
  expect(validateStatement(statement)).toContain(rule);
});

test('every rule rejects a statement', () => {
  expect(new Set(refused.map(([rule]) => rule))).toEqual(new Set(Object.keys(rules)));
});

test.each([
  'begin',
  'set local enable_nestloop to off',
  'fetch 500 from rows_1',
  'select company_id, id from deliveries where due_at < now() order by due_at limit 5',
  'select id, now() from webhooks where company_id = $1 for update',
  `select count(*) as c, coalesce(max(created_at), now()) from events where company_id = $1`,
  'insert into webhooks (company_id, id, created_at) values ($1, gen_random_uuid(), clock_timestamp()) returning id',
  'insert into deliveries (company_id, id) select $1::uuid, gen_random_uuid() from events where company_id = $1',
  `insert into idempotency_keys (company_id, key_hash, created_at) values ($1, $2, now())
    on conflict (company_id, key_hash) do update set created_at = excluded.created_at`,
  'update collaborators set updated_at = greatest(statement_timestamp(), updated_at) where company_id = $1',
  'update deliveries set due_at = now() + make_interval(secs => $2) where company_id = $1',
  `delete from events where company_id = $1 and created_at < now() - make_interval(days => 30)`,
  `with ended as (select *, statement_timestamp() as at from unnest($2::uuid[]) as given (id)), written as (
     update deliveries set completed_at = case when status = 'pending' then null else ended.at end
     from ended where deliveries.company_id = $1 and deliveries.id = ended.id returning deliveries.id
   ), logged as (insert into attempts (company_id, delivery_id) select $1, id from written)
   select id from written`,
  `update rate_limits set key = $1 where changed_at < clock_timestamp() - interval '1 day' returning now()`,
  'select company_id from events where sequence is null group by company_id order by min(created_at) limit 10',
])('accepts %s', (statement) => {
  expect(validateStatement(statement)).toEqual([]);
});
