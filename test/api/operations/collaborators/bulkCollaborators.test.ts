import { randomUUID } from 'node:crypto';
import { createPerson } from '../../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

let serial = 0;
function item(fields: object = {}) {
  serial += 1;
  return { name: 'Bo Bulk', email: `bo${serial}@example.com`, position: 'Clerk', department: 'Office', ...fields };
}

type Identified = ReturnType<typeof item> & { external_id: string; employee_number: string };

const path = '/v1/collaborators/bulk';
const bulk = async (body: object, client = app.admin) => (await client.post(path, body).expect(200)).body;
const create = async (...items: object[]) => bulk({ mode: 'create', items });
const update = async (...items: object[]) => bulk({ mode: 'update', items });
const added = async (fields: object = {}): Promise<string> =>
  (await app.admin.post('/v1/collaborators', item(fields)).expect(201)).body.id;
const read = async (id: string) => (await app.admin.get(`/v1/collaborators/${id}`).expect(200)).body;
const outcomes = ({ results }: { results: { status: string }[] }) => results.map(({ status }) => status);
const codes = (result: { error: { details: Record<string, { code: string }[]> } }) =>
  Object.fromEntries(Object.entries(result.error.details).map(([field, errors]) => [field, errors[0]!.code]));
const everything = async () =>
  app.database.query(
    `select (select count(*) from collaborators) as people, (select count(*) from collaborator_history) as history,
       (select count(*) from events) as events, (select sum(revision) from collaborators) as revisions`,
  );

describe('succeeds', () => {
  test('creates people', async () => {
    const contact = { name: 'Ada', phone: '+351 1' };
    const full = item({ phone: '+1 2', hire_date: '2026-01-02', salary: 10.25, emergency_contact: contact });
    const body = await create({ ref: 'a', ...full }, item({ manager_id: app.manager.collaborator_id.toUpperCase() }));
    expect(body).toEqual({
      mode: 'create',
      on_error: 'continue',
      dry_run: false,
      summary: { total: 2, succeeded: 2, failed: 0, skipped: 0 },
      results: [
        { index: 0, ref: 'a', status: 'created', id: expect.any(String), error: null },
        { index: 1, ref: null, status: 'created', id: expect.any(String), error: null },
      ],
    });
    const person = await read(body.results[0].id);
    expect(person).toMatchObject({ ...full, status: 'pending', emergency_contact: { ...contact, relationship: null } });
    expect((await read(body.results[1].id)).manager_id).toBe(app.manager.collaborator_id);
  });

  test('updates only the fields sent that differ', async () => {
    const [a, b, c] = [await added({ phone: '+1 2', location: 'Faro' }), await added(), await added()];
    const body = await update(
      { id: a.toUpperCase(), phone: null },
      { id: b, name: 'Bo Bulk' },
      { id: c, status: 'inactive', position: 'Lead' },
    );
    expect(outcomes(body)).toEqual(['updated', 'unchanged', 'updated']);
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([a, b, c]);
    expect(await read(a)).toMatchObject({ phone: null, location: 'Faro' });
    expect(await read(c)).toMatchObject({ status: 'inactive', position: 'Lead' });
  });

  test('upsert matches emails case-insensitively', async () => {
    const known = item();
    const id = await added(known);
    const email = known.email.toUpperCase();
    const body = await bulk({ mode: 'upsert', items: [{ email: known.email, name: 'Bo Known' }, item(), item()] });
    expect(outcomes(body)).toEqual(['updated', 'created', 'created']);
    expect(body.results[0].id).toBe(id);
    expect(outcomes(await bulk({ mode: 'upsert', items: [{ email }] }))).toEqual(['updated']);
    expect(await read(id)).toMatchObject({ name: 'Bo Known', email });
    expect(outcomes(await bulk({ mode: 'upsert', items: [{ email }] }))).toEqual(['unchanged']);
  });

  test('matches by external ids even if the email changed; the first id of an item takes precedence', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((each) => {
      return item({ external_id: `hr:${serial}${each}`, employee_number: `00${serial}${each}` });
    }) as [Identified, Identified, Identified];
    const people = [await added(a), await added(b), await added({ ...c, external_id: null })];
    const emails = [item().email, item().email, item().email];
    const { results } = await bulk({
      mode: 'upsert',
      items: [
        { external_id: a.external_id, email: emails[0] },
        { id: people[1], external_id: `${b.external_id}.new`, email: emails[1] },
        { employee_number: c.employee_number, email: c.email, external_id: null },
        item({ external_id: 'hr:new' }),
      ],
    });
    expect(results.map(({ status, id }: { status: string; id: string }) => [status, people.indexOf(id)])).toEqual([
      ['updated', 0],
      ['updated', 1],
      [expect.stringMatching(/d$/), 2],
      ['created', -1],
    ]);
    expect(await read(people[0]!)).toMatchObject({ email: emails[0], external_id: a.external_id });
    expect(await read(people[1]!)).toMatchObject({ email: emails[1], external_id: `${b.external_id}.new` });
    const changed = await update({ external_id: 'hr:new', phone: '+1 9' }, { email: emails[1], phone: '+1 9' });
    expect(outcomes(changed)).toEqual(['updated', 'updated']);
  });

  test('matches only by the requested key', async () => {
    const known = item();
    const id = await added(known);
    const identifiers = { email: known.email, external_id: `hr:given:${serial}` };
    const taken = await bulk({ mode: 'upsert', items: [{ ...known, ...identifiers }] });
    expect(codes(taken.results[0])).toEqual({ email: 'taken' });
    const body = await bulk({
      mode: 'upsert',
      match_by: 'email',
      items: [identifiers, { external_id: identifiers.external_id }],
    });
    expect(outcomes(body)).toEqual(['updated', 'failed']);
    expect(codes(body.results[1])).toEqual({ email: 'required' });
    expect(await read(id)).toMatchObject(identifiers);
    const otherPerson = { ...identifiers, id: await added() };
    const wrong = await bulk({
      mode: 'update',
      match_by: 'external_id',
      items: [otherPerson, { id, external_id: null }],
    });
    expect(wrong.results.map(codes)).toEqual([{ id: 'field_not_allowed' }, { external_id: 'required' }]);
    await app.admin.post(path, { mode: 'upsert', match_by: 'name', items: [identifiers] }).expect(400);
  });

  test('returns not_found for an unknown id, and creates nobody with it', async () => {
    const before = await everything();
    const { results } = await bulk({ mode: 'upsert', items: [item({ id: randomUUID() }), item({ id: 'x' })] });
    expect(results).toMatchObject([{ error: { error: 'not_found' } }, { error: { error: 'not_found' } }]);
    expect(await everything()).toMatchObject([{ people: before[0]!.people, history: before[0]!.history }]);
  });

  test('creates a new person if the external id of a deleted one is sent', async () => {
    const person = item({ external_id: `hr:back:${serial}` });
    const id = await added(person);
    await app.admin.delete(`/v1/collaborators/${id}`).expect(200);
    const { results } = await bulk({ mode: 'upsert', items: [person] });
    expect(results[0].status).toBe('created');
    expect(results[0].id).not.toBe(id);
  });

  test('a dry run changes nothing and reports the outcome', async () => {
    const id = await added();
    const before = await everything();
    const created = await bulk({ mode: 'create', dry_run: true, items: [item(), { name: 'x' }] });
    expect(outcomes(created)).toEqual(['created', 'failed']);
    expect(created.results[0].id).toBeNull();
    const changed = await bulk({ mode: 'update', dry_run: true, items: [{ id, status: 'inactive' }, { id: 'x' }] });
    expect(changed).toMatchObject({ dry_run: true, summary: { total: 2, succeeded: 1, failed: 1, skipped: 0 } });
    expect(changed.results[0]).toMatchObject({ status: 'updated', id });
    expect(await everything()).toEqual(before);
  });

  test('processes items in order, so a later one can use a value that an earlier one gave up', async () => {
    const emails = [item().email, item().email];
    const [a, b] = [await added({ email: emails[0] }), await added({ email: emails[1] })];
    const moved = await update({ id: a, email: item().email }, { id: b, email: emails[0] });
    expect(outcomes(moved)).toEqual(['updated', 'updated']);
  });

  test('adds new people with values that earlier items give up', async () => {
    const leaving = item({ external_id: 'desk-7', employee_number: '0070' });
    const id = await added(leaving);
    const moved = { email: `moved.${leaving.email}`, external_id: null, employee_number: '0071' };
    const body = await bulk({
      mode: 'upsert',
      items: [
        { id, ...moved },
        { ...leaving, name: 'Bo Next' },
      ],
    });
    expect(outcomes(body)).toEqual(['updated', 'created']);
    expect(await read(id)).toMatchObject(moved);
    expect(await read(body.results[1].id)).toMatchObject({ ...leaving, name: 'Bo Next' });
  });

  test('activation links no account, whoever has the address; deactivation cancels invitations and revokes access', async () => {
    const user = await createPerson(app.database.db, app.outsider.company_id, {
      ...item(),
      password: 'correct horse battery staple',
    });
    const [{ email }] = (await app.database.query<{ email: string }>('select email from users where id = $1', [
      user.user_id,
    ])) as [{ email: string }];
    const [linked, invited] = [await added({ email }), await added()];
    await app.admin.post(`/v1/collaborators/${invited}/send-invitation`).expect(200);
    expect(outcomes(await update({ id: linked, status: 'active' }, { id: invited, status: 'active' }))).toEqual([
      'updated',
      'updated',
    ]);
    const tie = () =>
      app.database.query('select user_id from collaborators where id = any($1) order by id', [[linked, invited]]);
    expect(await tie()).toEqual([{ user_id: null }, { user_id: null }]);
    const membership = 'select collaborator_id from memberships where user_id = $1 and company_id = $2';
    expect(await app.database.query(membership, [user.user_id, app.company_id])).toEqual([]);

    const { report } = app;
    await report.get('/v1/permissions').expect(200);
    expect(
      outcomes(await update({ id: report.collaborator_id, status: 'inactive' }, { id: invited, status: 'inactive' })),
    ).toEqual(['updated', 'updated']);
    const invitation = (await app.admin.get(`/v1/collaborators/${invited}/status`)).body.invitation;
    expect(invitation.state).toBe('cancelled');
    const grants = 'select 1 from oauth_grants where user_id = $1 and revoked_at is null and $2 = any(company_ids)';
    expect(await app.database.query(grants, [report.user_id, app.company_id])).toEqual([]);
  });
});

describe('refuses bad input', () => {
  test.each([
    [{ mode: 'replace', items: [{}] }, { mode: 'not_in_enum' }],
    [{ mode: 'create', items: [] }, { items: 'too_short' }],
    [{ mode: 'create', items: Array(1_001).fill({}) }, { items: 'too_long' }],
    [
      { mode: 'create', items: [1, null] },
      { 'items.0': 'invalid_type', 'items.1': 'invalid_type' },
    ],
    [
      { items: [{}], on_error: 'panic', dry_run: 'yes', more: 1 },
      {
        mode: 'required',
        on_error: 'not_in_enum',
        dry_run: 'invalid_type',
        more: 'field_not_allowed',
      },
    ],
  ])('returns 400 for an invalid request %#', async (body, expected) => {
    const response = await app.admin.post(path, body).expect(400);
    expect(codes({ error: response.body })).toEqual(expected);
  });

  test('reports every error of every item, as the single operation would', async () => {
    const taken = item();
    await added(taken);
    const { results, summary } = await create(
      { ref: 'no', email: taken.email.toUpperCase(), name: 'x', salary: -1, manager_id: randomUUID() },
      item({ id: randomUUID(), status: 'active', emergency_contact: { phone: 5, fax: 1 }, __proto__: null }),
      { ...item(), ref: 5 },
      item(),
      JSON.parse('{"__proto__": {"name": "Bo"}, "constructor": 1}'),
    );
    expect(summary).toEqual({ total: 5, succeeded: 1, failed: 4, skipped: 0 });
    expect(results[0]).toMatchObject({ index: 0, ref: 'no', status: 'failed', id: null });
    expect(results.map((result: never) => (result as { error: unknown }).error && codes(result))).toEqual([
      {
        name: 'too_short',
        email: 'taken',
        position: 'required',
        department: 'required',
        salary: 'out_of_range',
        manager_id: 'not_found',
      },
      {
        id: 'field_not_allowed',
        status: 'field_not_allowed',
        'emergency_contact.phone': expect.any(String),
        'emergency_contact.fax': 'field_not_allowed',
      },
      { ref: 'invalid_type' },
      null,
      expect.objectContaining({ name: 'required', constructor: 'field_not_allowed' }),
    ]);
    expect(Object.keys(results[4].error.details)).toContain('__proto__');
    const { body } = await app.admin.post('/v1/collaborators', { ...taken, manager_id: 'nobody' }).expect(400);
    const [repeated] = (await create({ ...taken, manager_id: 'nobody' })).results;
    expect(repeated.error).toEqual(body);
  });

  test('rejects items that match nobody', async () => {
    const { results } = await update(
      { id: randomUUID(), name: '' },
      { id: 'nobody' },
      { id: app.outsider.collaborator_id, name: 'Mine Now' },
      { name: 'x' },
      { id: 7, name: 'Fine' },
    );
    const { body: notFound } = await app.admin.put(`/v1/collaborators/${randomUUID()}`, {}).expect(404);
    expect(results.slice(0, 3).map(({ id, error }: { id: null; error: object }) => [id, error])).toEqual(
      Array(3).fill([null, notFound]),
    );
    expect(codes(results[3])).toEqual({ id: 'required', name: 'too_short' });
    expect(codes(results[4])).toEqual({ id: 'invalid_type' });
  });

  test('upsert rejects items without an email, and fields that don’t apply to the person', async () => {
    const known = item();
    await added(known);
    const { results } = await bulk({
      mode: 'upsert',
      items: [
        { name: 'x' },
        { email: 'nowhere', status: 'x' },
        { email: known.email, name: null },
        item({ status: 'active' }),
        { email: item().email },
      ],
    });
    expect(results.map(codes)).toEqual([
      { email: 'required', name: 'too_short' },
      { email: 'invalid_format', status: 'not_in_enum' },
      { name: 'not_clearable' },
      { status: 'field_not_allowed' },
      { name: 'required', position: 'required', department: 'required' },
    ]);
  });

  test('rejects the same person twice', async () => {
    const [first, id] = [item(), await added()];
    const created = await create(first, { ...first, email: first.email.toUpperCase() });
    expect(outcomes(created)).toEqual(['created', 'failed']);
    expect(codes(created.results[1])).toEqual({ email: 'taken' });
    const updated = await update({ id, phone: '+1 2' }, { id: id.toUpperCase(), phone: '+1 3' });
    expect(codes(updated.results[1])).toEqual({ id: 'taken' });
    expect((await read(id)).phone).toBe('+1 2');
    const both = await bulk({
      mode: 'upsert',
      items: [
        { ...item(), ...first },
        { email: first.email, phone: '+1 4' },
      ],
    });
    expect(outcomes(both)).toEqual(['unchanged', 'failed']);
    const contested = item().email;
    const others = [await added(), await added()];
    expect(outcomes(await update(...others.map((other) => ({ id: other, email: contested }))))).toEqual([
      'updated',
      'failed',
    ]);
  });

  test('rejects managers that are the person, unknown, of another company, or part of a cycle across items', async () => {
    const [a, b, c, d] = [await added(), await added(), await added(), await added()];
    await app.admin.put(`/v1/collaborators/${b}`, { manager_id: a }).expect(200);
    const refused = await update(
      { id: a, manager_id: a.toUpperCase() },
      { id: b, manager_id: app.outsider.collaborator_id },
      { id: c, manager_id: 'nobody' },
    );
    expect(refused.results.map(codes)).toEqual([
      { manager_id: 'self' },
      { manager_id: 'not_found' },
      { manager_id: 'not_found' },
    ]);
    // b reports to a. c below b and d below c are valid; a below d would close a cycle, and freeing b wouldn't break it.
    const items = [
      { id: c, manager_id: b },
      { id: d, manager_id: c },
      { id: a, manager_id: d },
      { id: b, manager_id: null },
    ];
    const circle = await update(...items);
    expect(outcomes(circle)).toEqual(['updated', 'updated', 'failed', 'updated']);
    expect(codes(circle.results[2])).toEqual({ manager_id: 'cycle' });
    expect(outcomes(await update(items[2]!))).toEqual(['updated']);
  });
});

describe('conflicts', () => {
  test('with abort, reports all errors and changes nothing', async () => {
    const [id, taken] = [await added(), item()];
    await added(taken);
    const before = await everything();
    const changed = await bulk({
      mode: 'update',
      on_error: 'abort',
      items: [{ id, phone: '+1 9' }, { id: 'x' }, { id: app.report.collaborator_id, name: '' }],
    });
    expect(changed).toMatchObject({ on_error: 'abort', summary: { total: 3, succeeded: 0, failed: 2, skipped: 1 } });
    expect(changed.results[0]).toEqual({ index: 0, ref: null, status: 'skipped', id, error: null });
    const created = await bulk({ mode: 'create', on_error: 'abort', items: [item(), taken] });
    expect(created.results.map(({ status, id }: { status: string; id: null }) => [status, id])).toEqual([
      ['skipped', null],
      ['failed', null],
    ]);
    expect(await everything()).toEqual(before);
    expect(outcomes(await bulk({ mode: 'create', on_error: 'abort', items: [item(), item()] }))).toEqual([
      'created',
      'created',
    ]);
  });

  test('status changes follow the rules, and the item gets the 409', async () => {
    const id = await added();
    await app.admin.post(`/v1/collaborators/${id}/deactivate`).expect(200);
    const itself = app.admin.collaborator_id;
    const { results } = await update({ id, status: 'active' }, { id: itself, status: 'inactive', name: 'Not Written' });
    expect(outcomes({ results })).toEqual(['updated', 'failed']);
    expect(results[1].error).toEqual(
      (await app.admin.put(`/v1/collaborators/${itself}`, { status: 'inactive' }).expect(409)).body,
    );
    expect((await read(itself)).name).not.toBe('Not Written');
  });

  test('keeps at least one admin', async () => {
    const others: string[] = [];
    for (let n = 0; n < 2; n++) {
      const password = 'correct horse battery staple';
      const { collaborator_id: collaboratorId } = await createPerson(app.database.db, app.company_id, {
        ...item(),
        password,
        role: 'admin',
      });
      others.push(collaboratorId);
    }
    const ids = [...others, app.admin.collaborator_id];
    const { results } = await update(...ids.map((id) => ({ id, status: 'inactive' })));
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['updated', 'updated', 'failed']);
    expect(results[2].error.error).toBe('last_admin');
  });

  test('with an Idempotency-Key, runs once even if aborted', async () => {
    const send = (body: object, key: string) => app.admin.post(path, body).set('Idempotency-Key', key);
    const body = { mode: 'create', items: [item(), { name: 'x' }] };
    const first = await send(body, 'bulk-1').expect(200);
    const before = await everything();
    const repeated = await send(body, 'bulk-1').expect(200);
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect(await everything()).toEqual(before);
    await send({ ...body, dry_run: true }, 'bulk-1').expect(422);
    const aborted = { ...body, items: [item(), { name: 'x' }], on_error: 'abort' };
    const refused = await send(aborted, 'bulk-2').expect(200);
    const again = await send(aborted, 'bulk-2').expect(200);
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', refused.body]);
  });

  test('concurrent bulk and single requests for the same people cause no deadlocks or duplicates', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => added()));
    const contested = Array.from({ length: 12 }, () => item().email);
    const admins = [app.admin.collaborator_id];
    for (let round = 0; round < 2; round++) {
      let step = round;
      /** Another order each time: 1, 5, 7, and 11 have no factor in common with the 12 people. */
      const shuffled = () => {
        step += 1;
        return ids.map((_, at) => ids[(at * [1, 5, 7, 11][step % 4]! + step) % ids.length]!);
      };
      const people = shuffled();
      const responses = await Promise.all([
        app.admin.post(path, {
          mode: 'update',
          items: [...shuffled(), ...admins].map((id, at) => ({ id, phone: `+1 ${round}${at}` })),
        }),
        app.admin.post(path, {
          mode: 'update',
          items: shuffled().map((id, at) => ({ id, manager_id: at > 0 ? ids[round] : null })),
        }),
        app.admin.post(path, { mode: 'update', items: shuffled().map((id, at) => ({ id, email: contested[at] })) }),
        app.admin.post(path, { mode: 'update', items: shuffled().map((id) => ({ id, status: 'active' })) }),
        app.admin.post(path, { mode: 'upsert', items: contested.map((email) => item({ email })).reverse() }),
        app.admin.post(path, {
          mode: 'create',
          items: contested.map((email) => item({ email, manager_id: people[5] })),
        }),
        ...people
          .slice(0, 4)
          .flatMap((id, at) => [
            app.admin.put(`/v1/collaborators/${id}`, { manager_id: people[at + 4] }),
            app.admin.put(`/v1/collaborators/${id}`, { status: 'active', email: contested[at + 4] }),
            app.admin.post('/v1/collaborators', item({ email: contested[at], manager_id: people[at + 1] })),
          ]),
        app.admin.delete(`/v1/collaborators/${people[11]}`),
      ]);
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      await app.admin.post(`/v1/collaborators/${people[11]}/restore`);
    }
    const doubles = await app.database.query(
      'select lower(email) from collaborators where company_id = $1 and deleted_at is null group by 1 having count(*) > 1',
      [app.company_id],
    );
    expect(doubles).toEqual([]);
    const [counted] = await app.database.query(
      `select (select count(*) from collaborators where company_id = $1 and deleted_at is null)
         = (select sum(active + inactive + pending) from collaborator_counts where company_id = $1) as right`,
      [app.company_id],
    );
    expect(counted).toEqual({ right: true });
  });
});

describe('forbidden by role', () => {
  test.each(['manager', 'employee'] as const)('rejects the role %s', async (identity) => {
    const { body } = await app[identity].post(path, { mode: 'create', items: [item()] }).expect(403);
    expect(body.error).toBe('forbidden');
  });

  test('rejects the whole request if salaries lack their scope, and points to the field', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:write'] });
    const before = await everything();
    const { body } = await client.post(path, { mode: 'create', items: [item(), item({ salary: null })] }).expect(403);
    expect(body.error).toBe('field_forbidden');
    expect(Object.keys(body.details)).toEqual(['items.1.salary']);
    expect(await everything()).toEqual(before);
    expect(outcomes(await bulk({ mode: 'create', items: [item()] }, client))).toEqual(['created']);
  });
});

describe('invisible to another company', () => {
  test('emails of another company are free, and its people don’t exist', async () => {
    const known = item();
    const id = await added(known);
    const created = await bulk({ mode: 'upsert', items: [{ ...known, name: 'Bo Elsewhere' }] }, app.outsider);
    expect(outcomes(created)).toEqual(['created']);
    const changed = await bulk({ mode: 'update', items: [{ id, name: 'Mine Now' }] }, app.outsider);
    expect(changed.results[0].error.error).toBe('not_found');
    const below = await bulk({ mode: 'create', items: [item({ manager_id: id })] }, app.outsider);
    expect(codes(below.results[0])).toEqual({ manager_id: 'not_found' });
    expect((await read(id)).name).toBe('Bo Bulk');
  });
});

describe('emits', () => {
  const events = (since: string) =>
    app.database.query('select name, payload::json from events where created_at > $1 order by created_at, id', [since]);
  const now = async () => (await app.database.query<{ t: string }>('select clock_timestamp()::text as t'))[0]!.t;

  test('emits the events of single requests, and bulk.completed once', async () => {
    const id = await added();
    const since = await now();
    await bulk({ mode: 'update', items: [{ id, name: 'Bo Told', status: 'inactive' }, { id: 'x' }] });
    const emitted = await events(since);
    expect(emitted.map(({ name }) => name)).toEqual([
      'collaborator.updated',
      'collaborator.status_changed',
      'bulk.completed',
    ]);
    expect(emitted[2]!.payload).toEqual({
      mode: 'update',
      on_error: 'continue',
      summary: { total: 2, succeeded: 1, failed: 1, skipped: 0 },
      requested_by: app.admin.user_id,
      completed_at: expect.any(String),
    });
  });

  test('emits nothing for a dry run or an aborted request', async () => {
    const since = await now();
    await bulk({ mode: 'create', dry_run: true, items: [item()] });
    await bulk({ mode: 'create', on_error: 'abort', items: [item(), {}] });
    expect(await events(since)).toEqual([]);
  });
});
