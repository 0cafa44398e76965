/** A bulk request has the same result as single requests for its items. */
import { randomUUID } from 'node:crypto';
import { companyCounts } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { type TestApp, type TestClient, testApp } from '../../helpers/app.ts';
import fc from '../../helpers/property.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ RATE_LIMIT_HEAVY_PER_MIN: '1000000' });
});
afterAll(() => app.close());

const pool = 6;

/** Index of a person in the pool; others are unknown, or belong to another company. */
const anyIndex = fc.integer({ min: 0, max: pool + 1 });

const address = fc.tuple(fc.constantFrom('p0', 'p1', 'p2', 'p3', 'q0', 'q1', 'Q2'), fc.boolean());

const fields = fc.record(
  {
    name: fc.constantFrom('Pat Pool', 'Pat Changed', 'x', null, ' Zoe\u0308\u200b', 'a\u202eb', '\u3164'),
    position: fc.constantFrom('Clerk', 'Lead', 'Lead'),
    phone: fc.constantFrom('+1 23', '+1 45', null, '', 'x'.repeat(101)),
    hire_date: fc.constantFrom('2026-02-28', '2026-02-30', '', null),
    salary: fc.constantFrom(0, 10.25, 999_999_999_999.99, null, -1),
    location: fc.constantFrom('NULL', '{"a",b}\\', null),
    emergency_contact: fc.constantFrom(
      null,
      { name: 'Ada' },
      { phone: null },
      { relationship: ' \u2800', name: 'Jose\u0301\n' },
      { name: null, phone: '123' },
      { fax: 1 },
    ),
    status: fc.constantFrom('active', 'inactive', 'inactive', 'asleep'),
    unknown: fc.constant(1),
  },
  { requiredKeys: [] },
);

/** Errors are rare, so that there is something to compare. */
const sane = fields.map(({ unknown, ...rest }) => {
  const wrong = ['x', null, 'no', '2026-02-30', -1, 'asleep'];
  return Object.fromEntries(
    Object.entries(rest).filter(
      ([field, value]) => !(wrong.includes(value as never) && (field === 'name' || value !== null)),
    ),
  );
});

const change = fc.record(
  {
    who: anyIndex,
    fields: fc.oneof({ weight: 4, arbitrary: sane }, { weight: 1, arbitrary: fields }),
    email: fc.option(address, { nil: undefined }),
    manager: fc.option(anyIndex, { nil: undefined }),
    number: fc.option(fc.constantFrom('n0', 'n1', 'n2', 'N2', null), { nil: undefined }),
  },
  { requiredKeys: ['who', 'fields'] },
);

const requests = fc.record({
  mode: fc.constantFrom('create' as const, 'update' as const, 'update' as const, 'upsert' as const, 'upsert' as const),
  match_by: fc.constantFrom(undefined, undefined, 'employee_number' as const, 'email' as const),
  changes: fc.array(change, { minLength: 1, maxLength: 12 }),
});

let run = 0;

/** Creates the same people in each company: a chain of managers, one invited, and one with a linkable account. */
async function people(client: TestClient): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < pool; n++) {
    const managerId = n > 0 && n < 4 ? ids[n - 1] : null;
    const person = {
      name: 'Pat Pool',
      email: `p${n}.${run}@example.com`,
      position: 'Clerk',
      department: 'Pool',
      manager_id: managerId,
    };
    ids.push((await client.post('/v1/collaborators', person).expect(201)).body.id);
  }
  await client.post(`/v1/collaborators/${ids[1]}/send-invitation`).expect(200);
  await client.post(`/v1/collaborators/${ids[2]}/deactivate`).expect(200);
  await client.post(`/v1/collaborators/${ids[3]}/activate`).expect(200);
  return ids;
}

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;
type Request = typeof requests extends fc.Arbitrary<infer R> ? R : never;

/** Converts a change to an item for one company. */
function itemOf(
  { mode, match_by: matchBy }: Pick<Request, 'mode' | 'match_by'>,
  { who: personIndex, fields, email, manager, number }: Change,
  ids: readonly string[],
): Record<string, unknown> {
  const id = (n: number) => ids[n] ?? (n === pool ? missingId : foreign());
  const item: Record<string, unknown> = { ...fields };
  const named = email && `${email[0]}.${run}@example.com`;
  if (named) item.email = email[1] ? named.toUpperCase() : named;
  if (mode === 'update' && !matchBy) item.id = id(personIndex);
  else if (mode === 'update') item.email ??= `p${personIndex}.${run}@example.com`;
  else {
    Object.assign(item, { name: 'Pat Pool', position: 'Clerk', department: 'Pool', ...item });
    item.email ??= `p${personIndex}.${run}@example.com`;
  }
  if (manager !== undefined) item.manager_id = id(manager);
  if (number !== undefined) item.employee_number = number && `${number}.${run}`;
  return item;
}

const missingId = randomUUID();
const foreign = () => app.employee.collaborator_id.replace(/^........./, 'ffffffff-');

/** Results of single requests; undefined if the item matches nobody, or a person an earlier item matched. */
async function single(
  client: TestClient,
  { mode, match_by: matchBy }: Pick<Request, 'mode' | 'match_by'>,
  item: Record<string, unknown>,
  seen: Set<string>,
) {
  const known = ['id', 'employee_number', 'email'].find((field) => (item[field] ?? null) !== null);
  const field = mode === 'create' ? 'email' : (matchBy ?? known!);
  const value = item[field] ?? undefined;
  if (value === undefined) return undefined;
  const text = field === 'employee_number' ? String(value) : String(value).toLowerCase();
  const column = field === 'employee_number' ? field : `lower(${field}::text)`;
  const [found] = await app.database.query<{ id: string }>(
    `select id from collaborators where company_id = $1 and ${column} = $2 and deleted_at is null`,
    [client.company_id, text],
  );
  const names = [`${field} ${text}`, ...(found && mode !== 'create' ? [found.id] : [])];
  const isDuplicate = names.some((name) => seen.has(name));
  for (const name of names) seen.add(name);
  if (isDuplicate) return undefined;
  const { id, ...update } = item;
  if (mode === 'update' || (mode === 'upsert' && found)) {
    return client.put(`/v1/collaborators/${found?.id ?? id ?? missingId}`, update);
  }
  const added = await client.post('/v1/collaborators', item);
  if (added.status === 201) seen.add(added.body.id);
  return added;
}

/** All records of these people, without times, and with names instead of ids. */
async function traces(client: TestClient, since: string) {
  const { company_id: companyId } = client;
  const rows = (sql: string) => app.database.query(sql, [companyId, since]);
  const found = {
    rows: await rows(
      `select c.*, i.state, m.user_id as member from collaborators c
       left join memberships m on m.company_id = c.company_id and m.collaborator_id = c.id
       left join invitations i on i.company_id = c.company_id and i.collaborator_id = c.id
       where c.company_id = $1 and c.created_at >= $2 order by lower(c.email)`,
    ),
    history: await rows(
      `select h.*, lower(c.email) as whose from collaborator_history h
       join collaborators c on c.company_id = h.company_id and c.id = h.collaborator_id
       where h.company_id = $1 and h.timestamp >= $2 order by lower(c.email), h.timestamp, h.id`,
    ),
    events: await rows(
      `select e.name, e.event_type, e.idempotency_key, e.payload::json as payload from events e
       where e.company_id = $1 and e.created_at >= $2 and e.name <> 'bulk.completed'
       order by coalesce(payload::json->>'id', payload::json->>'collaborator_id'), created_at, id`,
    ),
  };
  const names = new Map(found.rows.map(({ id, email }) => [id as string, `<${String(email).toLowerCase()}>`]));
  names.set(client.user_id, '<admin>');
  names.set(companyId, '<company>');
  const text = JSON.stringify(found, (name, value) => (times.has(name) ? undefined : value)).replaceAll(
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    (id) => names.get(id) ?? '<other>',
  );
  const state = JSON.parse(text) as {
    rows: object[];
    history: object[];
    events: { payload: Record<string, string> }[];
  };
  const personIdOf = ({ payload }: { payload: Record<string, string> }) => (payload.id ?? payload.collaborator_id)!;
  return {
    ...state,
    events: state.events.sort((a, b) => (personIdOf(a) < personIdOf(b) ? -1 : personIdOf(a) > personIdOf(b) ? 1 : 0)),
  };
}

const times = new Set([
  ...['created_at', 'updated_at', 'status_since', 'changed_at', 'timestamp', 'sent_at', 'expires_at', 'expired_at'],
]);

interface BulkItemResult {
  status: string;
  error: { error: string; details?: Record<string, unknown> };
}

/** Row times have milliseconds. */
const now = async () => {
  const [row] = await app.database.query("select date_trunc('milliseconds', clock_timestamp())::text as t");
  return row!.t as string;
};

test('leaves the same rows, history, events, counts, and errors as single requests', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ mode, match_by: matchBy, changes }) => {
      run += 1;
      const since = await now();
      const [here, there] = [await people(app.admin), await people(app.outsider)];
      const counts = async (client: TestClient) => companyCounts(app.database.db.tenant(client.company_id));
      const before = [await counts(app.admin), await counts(app.outsider)];

      const items = changes.map((each) => itemOf({ mode, match_by: matchBy }, each, here));
      const { body } = await app.admin.post('/v1/collaborators/bulk', { mode, match_by: matchBy, items }).expect(200);
      const seen = new Set<string>();
      for (const [index, each] of changes.entries()) {
        const { status, error } = body.results[index] as BulkItemResult;
        const response = await single(
          app.outsider,
          { mode, match_by: matchBy },
          itemOf({ mode, match_by: matchBy }, each, there),
          seen,
        );
        if (!response) expect(status).toBe('failed');
        else if (response.status < 300) expect([status, error]).toEqual([expect.stringMatching(/ed$/), null]);
        else {
          expect(status).toBe('failed');
          expect(error.error).toBe(response.body.error);
          // Single requests report database errors only without other errors.
          if (response.body.details) expect(error.details).toMatchObject(response.body.details);
        }
      }
      expect(await traces(app.admin, since)).toEqual(await traces(app.outsider, since));
      const after = [await counts(app.admin), await counts(app.outsider)];
      const grown = [0, 1].map((n) => ({
        active: after[n]!.active - before[n]!.active,
        total: after[n]!.total - before[n]!.total,
      }));
      expect(grown[0]).toEqual(grown[1]);
    }),
    { numRuns: 10 },
  );
});
