// Writes events, deliveries, and attempts as the service does: numbering an event, and creating, claiming, and recording a
// delivery, are separate transactions. So they leave as many dead rows as in production.
import type pg from 'pg';

const eventsPerBatch = 20_000;

interface Period {
  /** Days ago. */
  from: number;
  to: number;
}

/** @param people total to draw event subjects from, so that large companies have most events */
export async function writeLog(
  clients: readonly pg.Client[],
  events: number,
  people: number,
  { from, to }: Period,
  steps = lifecycleSteps,
): Promise<void> {
  const batches = Math.max(1, Math.ceil(events / eventsPerBatch));
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (next < batches) {
        const n = next++;
        const size = Math.min(eventsPerBatch, events - n * eventsPerBatch);
        const width = (from - to) / batches;
        const period = [from - n * width, from - (n + 1) * width] as const;
        await client.query('drop table if exists scale_batch');
        await client.query(batchOf, [size, people, ...period]);
        for (const step of steps) await client.query(step);
      }
    }),
  );
}

const batchOf = `
  create temporary table scale_batch as
  select c.id as company_id, uuidv7(at - now()) as id, scale_id(scale_at(c.joined_at, c.size, p.n), p.company, p.n) as collaborator_id,
    at, p.n
  from (
    select 1 + floor(random() * $2::bigint)::bigint as place,
      now() - make_interval(secs => 86400 * ($3::float8 + ($4::float8 - $3::float8) * i / $1::int)) as at
    from generate_series(1, $1::int) i
  ) drawn join scale_people p using (place) join scale_companies c on c.number = p.company`;

const attempt = `
  insert into attempts (company_id, delivery_id, number, manual, started_at, duration_ms, status_code, response_excerpt, url,
    signatures, response_headers)
  select made.company_id, made.id, 1, false, made.created_at, 40, 200, '{"ok":true}', 'https://hooks.example/collaborators',
    decode(repeat('ab', 64), 'hex'), '[["Date", "Mon, 02 Mar 2026 09:15:01 GMT"], ["Content-Type", "application/json"],
      ["Content-Length", "11"], ["Connection", "keep-alive"], ["Server", "nginx"]]'`;

const lifecycleSteps = [
  `insert into events (company_id, id, name, event_type, payload, created_at)
   select company_id, id, 'collaborator.updated', 'updated', json_build_object('id', collaborator_id, 'name', 'Ana Silva ' || n,
     'email', 'person' || n || '@company.example', 'phone', '+351 ' || 900000000 + n, 'position', 'Grade ' || n % 40,
     'department', 'Operations', 'status', 'active', 'role', 'employee', 'hire_date', '2021-03-01', 'manager_id', collaborator_id,
     'location', 'Site ' || n % 200, 'created_at', at, 'updated_at', at, 'changed_fields', array['position'])::text, at
   from scale_batch order by at`,
  `update events e set sequence = nextval('scale_sequence') from scale_batch b
   where e.company_id = b.company_id and e.id = b.id`,
  `insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, created_at, due_at)
   select b.company_id, uuidv7(b.at - now()), w.id, b.id, 'collaborator.updated', 'envelope', b.at, b.at
   from scale_batch b join webhooks w on w.company_id = b.company_id order by b.at`,
  `update deliveries d set status = 'delivering', job_id = 1, turn_id = gen_random_uuid(), due_at = b.at
   from scale_batch b where d.company_id = b.company_id and d.event_id = b.id`,
  `${attempt} from scale_batch b join deliveries made on made.company_id = b.company_id and made.event_id = b.id`,
  `update deliveries d set status = 'succeeded', due_at = null, attempt_count = 1, last_status_code = 200, completed_at = b.at
   from scale_batch b where d.company_id = b.company_id and d.event_id = b.id`,
];

/** Writes the same rows in their final state, for tables without indexes. */
export const finalStateSteps = [
  lifecycleSteps[0]!
    .replace('created_at)', 'created_at, sequence)')
    .replace('at\n   from', `at, nextval('scale_sequence')\n   from`),
  `with made as (
     insert into deliveries (company_id, id, webhook_id, event_id, event, payload_format, created_at, status, attempt_count,
       last_status_code, completed_at)
     select b.company_id, uuidv7(b.at - now()), w.id, b.id, 'collaborator.updated', 'envelope', b.at, 'succeeded', 1, 200, b.at
     from scale_batch b join webhooks w on w.company_id = b.company_id order by b.at
     returning company_id, id, created_at
   ) ${attempt} from made`,
];
