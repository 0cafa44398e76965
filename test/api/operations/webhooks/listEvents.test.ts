import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';
import { addEvent } from '../../../helpers/resources/webhooks.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
afterEach(() => app.database.query('delete from events'));

const path = '/v1/events';

async function page(query: Record<string, string | number> = {}, client: TestClient = app.admin) {
  const { body } = await client.get(path).query(query).expect(200);
  return body as {
    data: { id: string }[];
    pagination: { hasMore: boolean; nextCursor: string | null };
    position: string;
    has_gap: boolean;
  };
}

const ids = async (query: Record<string, string> = {}) => (await page(query)).data.map(({ id }) => id);

async function numbered(...numbers: number[]): Promise<string[]> {
  const created = [];
  for (const sequence of numbers) created.push({ sequence, id: await addEvent(app, { sequence }) });
  return created.sort((a, b) => a.sequence - b.sequence).map(({ id }) => id);
}

describe('succeeds', () => {
  test('returns envelopes with both times set to the event time, and members in order', async () => {
    const createdAt = '2026-03-02T09:15:00.027Z';
    const payload = { zebra: 1, apple: { y: null, x: ['ä', '💡'] }, id: 'c1' };
    const id = await addEvent(app, { payload, created_at: createdAt });
    const [report, deactivated] = [
      await addEvent(app, {
        name: 'report.created',
        event_type: 'ReportCreated',
        idempotency_key: 'report-1',
        created_at: createdAt,
      }),
      await addEvent(app, { name: 'import.failed', event_type: 'ImportFailed', payload: null, created_at: createdAt }),
    ];
    const { text, body } = await app.admin.get(path).expect(200);
    expect(body).toEqual({
      data: [
        {
          id,
          event: 'collaborator.created',
          timestamp: createdAt,
          data: { event_type: 'CollaboratorCreated', timestamp: createdAt, data: payload },
        },
        {
          id: report,
          event: 'report.created',
          timestamp: createdAt,
          data: {
            event_type: 'ReportCreated',
            timestamp: createdAt,
            data: { id: expect.any(String) },
            idempotency_key: 'report-1',
          },
        },
        {
          id: deactivated,
          event: 'import.failed',
          timestamp: createdAt,
          data: { event_type: 'ImportFailed', timestamp: createdAt },
        },
      ],
      pagination: { hasMore: false, nextCursor: null },
      position: expect.any(String),
      has_gap: false,
    });
    expect(text).toContain(JSON.stringify(payload));
  });

  test('sorts by sequence number regardless of time, and omits tests and unnumbered events', async () => {
    const listed = await numbered(3, 1, 2);
    await addEvent(app, { sequence: null });
    await addEvent(app, { name: 'webhook.test', payload: null, sequence: 0 });
    expect(await ids()).toEqual(listed);
  });

  test('combines filters', async () => {
    const [early, later] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'];
    const first = await addEvent(app, { created_at: early });
    const document = { name: 'document.deleted', event_type: 'DocumentDeleted' };
    const second = await addEvent(app, { ...document, created_at: early });
    const third = await addEvent(app, { created_at: later });
    expect(await ids({ event: '*' })).toEqual([first, second, third]);
    expect(await ids({ event: 'collaborator.*' })).toEqual([first, third]);
    expect(await ids({ event: 'document.deleted' })).toEqual([second]);
    expect(await ids({ event: 'rocket.launched' })).toEqual([]);
    expect(await ids({ event: 'collaborato_.*' })).toEqual([]);
    expect(await ids({ since: later })).toEqual([third]);
    expect(await ids({ since: '0000-01-01T00:00:00Z' })).toEqual([first, second, third]);
    expect(await ids({ since: '2026-03-02T01:00:00+01:00', event: 'document.*' })).toEqual([]);
  });

  test('following the cursor misses nothing while events get numbered', async () => {
    const all = await numbered(1, 2, 3, 4, 5);
    const walked: string[] = [];
    let next = 6;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, pagination } = await page(cursor ? { limit: 2, cursor } : { limit: 2 });
      walked.push(...data.map(({ id }) => id));
      cursor = pagination.nextCursor;
      if (next < 9) all.push(...(await numbered(next)));
      next += 1;
    }
    expect(walked).toEqual(all);
  });
});

describe('position', () => {
  test('of an empty response leads to later events, whatever was recorded in between', async () => {
    const start = await page({ event: 'document.*', start: 'latest' });
    expect(start).toMatchObject({ data: [], pagination: { hasMore: false, nextCursor: null }, has_gap: false });
    await numbered(1, 2);
    await setLastSequence(2);
    const nothing = await page({ event: 'document.*', cursor: start.position });
    expect(nothing).toMatchObject({ data: [], has_gap: false });
    const document = { name: 'document.deleted', event_type: 'DocumentDeleted', sequence: 3 };
    const id = await addEvent(app, document);
    await setLastSequence(3);
    for (const cursor of [start.position, nothing.position]) {
      const found = await page({ event: 'document.*', cursor });
      expect(found.data.map((event) => event.id)).toEqual([id]);
      expect((await page({ event: 'document.*', cursor: found.position })).data).toEqual([]);
    }
  });

  test('`latest` returns the last events, oldest first, then those that follow', async () => {
    const all = await numbered(1, 2, 3, 4);
    await setLastSequence(4);
    const { data, pagination, position } = await page({ start: 'latest', limit: 2 });
    expect(data.map(({ id }) => id)).toEqual(all.slice(2));
    expect(pagination).toEqual({ hasMore: false, nextCursor: null });
    const [fifth] = await numbered(5);
    expect((await page({ cursor: position })).data.map(({ id }) => id)).toEqual([fifth]);
  });

  test('within a list equals the next cursor', async () => {
    const all = await numbered(1, 2, 3, 4);
    await setLastSequence(4);
    const { position } = await page({ limit: 3 });
    expect((await page({ cursor: position })).data.map(({ id }) => id)).toEqual(all.slice(3));
  });

  test('reports a gap if events were removed since', async () => {
    await numbered(1, 2, 3, 4);
    await setLastSequence(4);
    const { position } = await page({ limit: 1 });
    expect((await page({ cursor: position })).has_gap).toBe(false);
    await app.database.query('delete from events where sequence <= 2');
    expect((await page({ cursor: position })).has_gap).toBe(true);
    await app.database.query('delete from events');
    const { has_gap: hasGap, position: end } = await page({ cursor: position });
    expect(hasGap).toBe(true);
    expect((await page({ cursor: end })).has_gap).toBe(false);
    expect((await page()).has_gap).toBe(false);
  });

  async function setLastSequence(last: number): Promise<void> {
    await app.database.query(
      `insert into event_sequences (company_id, last_sequence) values ($1, $2)
       on conflict (company_id) do update set last_sequence = excluded.last_sequence`,
      [app.company_id, last],
    );
  }
});

describe('refuses bad input', () => {
  test('rejects two starting points', async () => {
    const { position } = await page();
    const { body } = await app.admin.get(path).query({ start: 'latest', cursor: position }).expect(400);
    expect(body.details.cursor[0].code).toBe('field_not_allowed');
    const { body: other } = await app.admin.get(`${path}?start=latest&since=2026-03-01T00:00:00Z`).expect(400);
    expect(Object.keys(other.details)).toEqual(['since']);
    await page({ start: 'oldest', cursor: position });
  });

  test.each([
    ['limit=101', 'limit', 'out_of_range'],
    ['event=created', 'event', 'invalid_format'],
    ['since=2026-03-01', 'since', 'invalid_format'],
    ['until=2026-03-01T00:00:00Z', 'until', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });

  test('rejects a cursor of other filters or another company', async () => {
    await numbered(1, 2);
    const cursor = (await page({ limit: 1 })).pagination.nextCursor!;
    for (const send of [
      app.admin.get(path).query({ cursor, event: 'collaborator.*' }),
      app.admin.get(path).query({ cursor: 'garbage' }),
      app.outsider.get(path).query({ cursor }),
    ]) {
      expect((await send.expect(400)).body.error).toBe('invalid_cursor');
    }
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path).expect(403);
  });
});

describe('invisible to another company', () => {
  test('each company lists only its own events', async () => {
    const own = await addEvent(app);
    const foreign = await addEvent(app, {}, app.outsider.company_id);
    expect(await ids()).toEqual([own]);
    expect((await page({}, app.outsider)).data.map(({ id }) => id)).toEqual([foreign]);
  });
});
