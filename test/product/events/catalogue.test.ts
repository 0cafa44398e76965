/** Checks every event of the contract: what the service records, and what arrives at a receiver, must match the schema. */

import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { contract, resolve, type Schema } from '../../../src/contract/contract.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { endEmployments } from '../../../src/product/collaborators/end-employments.ts';
import { eraseField } from '../../../src/product/custom-fields/delete-field.ts';
import { expireSyncs } from '../../../src/product/directories/expire-syncs.ts';
import { type EventName, type EventPayload, eventClasses } from '../../../src/product/events/catalogue.ts';
import { emit } from '../../../src/product/events/emit.ts';
import { acceptInvitation } from '../../../src/product/invitations/accept-invitation.ts';
import { type EventRow, encodeBody, eventColumns } from '../../../src/product/webhooks/deliveries/webhook-body.ts';
import { deactivateWebhook } from '../../../src/product/webhooks/subscriptions/deactivate-webhook.ts';
import { expireInvitations } from '../../../src/worker/tasks/expireInvitations.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { schemaErrors } from '../../helpers/contract/contract-schemas.ts';
import { maskIds } from '../../helpers/contract/mask-ids.ts';
import { addConnection } from '../../helpers/database/connections.ts';
import { header, receiver } from '../../helpers/network/receiver.ts';
import { localWebhooks, subscribe } from '../../helpers/resources/deliveries.ts';
import { addDirectory } from '../../helpers/resources/directories.ts';
import { addDocument, picture } from '../../helpers/resources/documents.ts';
import { csv, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { addWebhook } from '../../helpers/resources/webhooks.ts';
import { testWorker } from '../../helpers/worker.ts';

interface EventOperation {
  description?: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema; example: unknown }[];
  requestBody: { content: Record<string, { schema: Schema; examples: Record<string, object> }> };
}

interface Body {
  event: string;
  timestamp: string;
  data: { event_type: string; timestamp: string; data?: Record<string, unknown>; idempotency_key?: string };
}

const declared = (contract as unknown as { webhooks: Record<string, { post: EventOperation }> }).webhooks;
const names = Object.keys(declared) as EventName[];
const mediaOf = (name: string) => declared[name]!.post.requestBody.content['application/json']!;
const schemaOf = (name: string) => mediaOf(name).schema;
const examplesOf = (name: string) =>
  Object.values(mediaOf(name).examples).map((each) => (resolve(each) as unknown as { value: Body }).value);
const exampleOf = (name: string) => examplesOf(name)[0]!;

const errorsOf = (name: string, body: unknown) => schemaErrors(schemaOf(name), body);

function fieldsOf(schema: Schema, path = ''): string[] {
  const {
    properties = {},
    allOf,
    anyOf,
    oneOf,
    items,
    additionalProperties,
  } = resolve(schema) as Schema & {
    anyOf?: Schema[];
    oneOf?: Schema[];
    items?: Schema;
    additionalProperties?: Schema | boolean;
  };
  const parts = [allOf, anyOf, oneOf].flatMap((list) => list ?? []).flatMap((each) => fieldsOf(each, path));
  const named = Object.entries(properties).flatMap(([name, each]) => [
    `${path}${name}`,
    ...fieldsOf(each, `${path}${name}.`),
  ]);
  const free = typeof additionalProperties === 'object' ? [`${path}*`] : [];
  return [...parts, ...named, ...free, ...(items ? fieldsOf(items, `${path}[].`) : [])];
}

/** Every field of a value, in order. */
function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each, `${path}[].`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [`${path}${name}`, ...keysOf(each, `${path}${name}.`)]);
}

test('contract and catalog list the same events', () => {
  expect(names.toSorted()).toEqual(Object.keys(eventClasses).toSorted());
  const { 'x-extensible-enum': known } = contract.components.schemas.EventName!;
  const reserved = ['device.updated', 'geofence.updated', 'schedule.deleted'];
  expect((known as string[]).toSorted()).toEqual([...names, ...reserved].toSorted());
});

describe.each(names)('the contract of %s', (name) => {
  const { post } = declared[name]!;

  test('has a valid example and describes the event name', () => {
    expect(examplesOf(name).length).toBeGreaterThan(0);
    for (const example of examplesOf(name)) {
      expect(errorsOf(name, example)).toEqual([]);
      expect([example.event, example.data.event_type]).toEqual([name, eventClasses[name]]);
      expect(unknown(name, example)).toEqual([]);
    }
    const { data } = resolve(schemaOf(name)).properties!;
    expect(resolve(data!).properties!.event_type).toMatchObject({ const: eventClasses[name] });
    expect(post.description).toMatch(/\S/);
  });

  test('rejects another type of event', () => {
    const example = exampleOf(name);
    expect(errorsOf(name, { ...example, data: { ...example.data, event_type: 'Other' } })).not.toEqual([]);
    expect(errorsOf(name, { ...example, data: undefined })).not.toEqual([]);
    if (example.data.data === undefined) return;
    expect(errorsOf(name, { ...example, data: { ...example.data, data: {} } })).not.toEqual([]);
  });

  test('declares the headers', () => {
    const parameters = post.parameters.map(resolve);
    const headers = ['X-Webhook-Event', 'X-Webhook-Signature', 'X-Webhook-Timestamp', 'User-Agent'];
    const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const keyed = 'idempotency_key' in exampleOf(name).data ? ['X-Webhook-Idempotency-Key'] : [];
    expect(parameters.map((each) => each.name).toSorted()).toEqual([...headers, ...standard, ...keyed].toSorted());
    for (const { in: location, required, schema, example } of parameters) {
      expect([location, required]).toEqual(['header', true]);
      expect(schemaErrors(schema, example)).toEqual([]);
    }
  });

  test('exposes no restricted fields', () => {
    const fields = fieldsOf(schemaOf(name));
    expect(fields).toContain('data.event_type');
    expect(fields.filter((field) => /salary|emergency|url|link|token|secret|password|avatar/i.test(field))).toEqual([]);
  });
});

/** The fields of a body that the contract doesn't declare. */
function unknown(name: string, body: unknown): string[] {
  const fields = fieldsOf(schemaOf(name));
  const free = fields.filter((field) => field.endsWith('.*')).map((field) => field.slice(0, -1));
  return keysOf(body).filter((key) => !fields.includes(key) && !free.some((start) => key.startsWith(start)));
}

const path = '/v1/collaborators';
const salary = 61_234.56;
const contact = { name: 'Quirin Contact', phone: '+49 30 5550199', relationship: 'friend' };

let app: TestApp;
beforeAll(async () => {
  app = await testApp(localWebhooks);
});
afterAll(() => app.close());

const tenant = () => app.database.db.tenant(app.company_id);

async function stored(name?: EventName): Promise<EventRow[]> {
  return tenant()
    .selectFrom('events')
    .select(eventColumns)
    .$if(name !== undefined, (query) => query.where('name', '=', name!))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

async function added(): Promise<string> {
  const person = {
    name: 'Zoë "Zed" Żak',
    email: `${randomUUID()}@example.com`,
    phone: '+55 11 91234-5678',
    position: 'Planner',
    department: 'Operations',
    hire_date: '2026-03-02',
    termination_date: '2999-12-31',
    manager_id: app.manager.collaborator_id,
    work_schedule: 'Full-time',
    location: 'Campinas',
    external_id: `hr:${randomUUID()}`,
    employee_number: randomUUID(),
    salary,
    emergency_contact: contact,
  };
  return (await app.admin.post(path, person).expect(201)).body.id;
}

async function invited(id: string): Promise<string> {
  await app.admin.post(`${path}/${id}/send-invitation`).expect(200);
  const [job] = await app.database.query<{ payload: unknown }>(
    'select payload from graphile_worker._private_jobs order by id desc limit 1',
  );
  const { values } = createMailQueue(app.config.encryption_keys).open(job!.payload);
  return (values as { link: string }).link.split('/').at(-1)!;
}

async function importAndWait(file: Buffer): Promise<void> {
  const worker = await testWorker(app);
  try {
    await runImport(app.admin, { file });
  } finally {
    await worker.stop();
  }
}

async function defined(key: string): Promise<string> {
  const field = {
    key,
    label: { default: 'Shirt size' },
    type: 'choice',
    options: [{ key: 's', label: { default: 'S' } }],
  };
  return (await app.admin.post('/v1/custom-fields', field).expect(201)).headers.location!;
}

const causes: Record<EventName, () => Promise<void>> = {
  'collaborator.created': async () => void (await added()),
  'collaborator.updated': async () => {
    const id = await added();
    const update = {
      position: 'Lead',
      salary: salary + 1,
      emergency_contact: { ...contact, phone: null },
      phone: null,
    };
    await app.admin.patch(`${path}/${id}`, update).expect(200);
    const everything = { name: 'Ada', email: `${randomUUID()}@example.com`, department: 'Fleet', manager_id: null };
    const rest = {
      hire_date: null,
      termination_date: null,
      work_schedule: null,
      location: null,
      emergency_contact: null,
      salary: null,
    };
    const ids = { external_id: null, employee_number: null };
    await app.admin.patch(`${path}/${id}`, { ...everything, ...rest, ...ids }).expect(200);
  },
  'collaborator.termination_upcoming': async () => {
    const id = await added();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const dates = { hire_date: null, termination_date: tomorrow };
    await app.admin.patch(`${path}/${id}`, dates).expect(200);
    await endEmployments(app.database.db.tenant(app.company_id));
  },
  'collaborator.deleted': async () => void (await app.admin.delete(`${path}/${await added()}`).expect(200)),
  'collaborator.restored': async () => {
    const id = await added();
    await app.admin.delete(`${path}/${id}`).expect(200);
    await app.admin.post(`${path}/${id}/restore`).expect(200);
  },
  'collaborator.status_changed': async () => {
    const id = await added();
    await app.admin.post(`${path}/${id}/deactivate`, { reason: 'Parental leave' }).expect(200);
  },
  'collaborator.role_changed': async () => {
    await app.admin.post(`${path}/${await added()}/role`, { role: 'manager' }).expect(200);
  },
  'connection.ended': async () =>
    void (await app.admin.delete(`/v1/connections/${await addConnection(app)}`).expect(200)),
  'directory.created': async () => void (await app.admin.post('/v1/directories', { name: 'Okta' }).expect(201)),
  'directory.deleted': async () =>
    void (await app.admin.delete(`/v1/directories/${(await addDirectory(app)).id}`).expect(200)),
  'directory.synced': async () => {
    const directory = await addDirectory(app);
    await directory.post('/Users', { userName: `${randomUUID()}@example.com` }).expect(201);
    await app.database.query("update directory_syncs set last_request_at = now() - interval '11 minutes'");
    await expireSyncs(app.database.db.tenant(app.company_id), { ended: () => {} });
  },
  'directory.failed': async () => {
    const directory = await addDirectory(app);
    await directory.post('/Users', { userName: 'nobody' }).expect(400);
    await app.database.query("update directory_syncs set last_request_at = now() - interval '11 minutes'");
    await expireSyncs(app.database.db.tenant(app.company_id), { ended: () => {} });
  },
  'collaborator.invited': async () => void (await invited(await added())),
  'collaborator.invitation_accepted': async () => {
    const token = await invited(await added());
    expect(await acceptInvitation(app.database.db, token, { password_hash: 'x' })).toBe('accepted');
  },
  'collaborator.invitation_expired': async () => {
    const id = await added();
    await invited(id);
    await app.database.query('update invitations set expires_at = now() where collaborator_id = $1', [id]);
    const mail = createMailQueue(app.config.encryption_keys);
    await expireInvitations(app.database.db, app.database, mail, createLogger('silent'))({}, {} as JobHelpers);
  },
  'collaborator.notifications_updated': async () => {
    const preferences = {
      channels: { sms: true },
      events: { 'collaborator.updated': false },
      quiet_hours: { start: '22:00', end: '07:00', timezone: 'America/Sao_Paulo' },
      locale: 'pt-BR',
    };
    await app.admin.put(`${path}/${await added()}/notifications`, preferences).expect(200);
    await app.admin.put(`${path}/${await added()}/notifications`, { locale: 'de' }).expect(200);
  },
  'collaborator.photo_updated': async () => {
    const id = await added();
    await app.admin.put(`${path}/${id}/photo`, { content_base64: (await picture()).toString('base64') }).expect(200);
    await app.admin.delete(`${path}/${id}/photo`).expect(200);
  },
  'document.uploaded': async () => {
    const id = await added();
    await addDocument(app, id, { type: 'medical', description: 'Zoë «signed»' });
    await addDocument(app, id);
  },
  'document.deleted': async () => {
    const id = await added();
    await app.admin.delete(`${path}/${id}/documents/${await addDocument(app, id)}`).expect(200);
  },
  'import.completed': async () => {
    const salaries = csv([
      [...requiredHeaders, 'salary', 'emergency_contact.name'],
      ['Zoë Żak', `${randomUUID()}@example.com`, 'x', 'y', salary, contact.name],
      ['Bad', 'bad', 'x', 'y', salary, contact.name],
    ]);
    await importAndWait(salaries);
  },
  'company.updated': async () => {
    await app.admin.put('/v1/company', { locale: 'pt-BR', policy: { session_max_age: 3_600 } }).expect(200);
  },
  'custom_field.created': async () => void (await defined('created')),
  'custom_field.updated': async () => {
    await app.admin.patch(await defined('updated'), { description: 'For the uniform' }).expect(200);
  },
  'custom_field.archived': async () => {
    await app.admin.patch(await defined('archived'), { archived: true }).expect(200);
  },
  'custom_field.deleted': async () => {
    const field = await defined('deleted');
    await app.admin.delete(`${field}?confirm=deleted`).expect(202);
    await eraseField(app.database.db, { company_id: app.company_id, key: 'deleted' });
  },
  'import.failed': async () => importAndWait(csv([['salary'], [salary]])),
  'bulk.completed': async () => {
    const items = [{ id: app.report.collaborator_id, phone: '+1 23' }, { id: 'nobody' }];
    await app.admin.post(`${path}/bulk`, { mode: 'update', items }).expect(200);
  },
  'report.created': async () => {
    const id = await added();
    await app.admin.get(`${path}/export/individual?collaborator_id=${id}`).expect(200);
    await app.admin.get(`${path}/export/list?format=csv`).expect(200);
    await app.admin.get(`${path}/export-excel/group`).expect(200);
  },
  'webhook.test': async () => {
    await app.admin.post(`/v1/webhooks/${await addWebhook(app)}/test`).expect(202);
  },
  'webhook.deactivated': async () => {
    const webhooks = [
      { id: randomUUID(), description: null, last_status_code: null, user_id: app.admin.user_id },
      { id: randomUUID(), description: 'Badges', last_status_code: 410, user_id: null },
    ];
    for (const { user_id: userId, ...webhook } of webhooks) {
      const url = 'https://hooks.example:8443/very-secret?key=61234';
      const row = { ...webhook, url, events: ['*'], payload_format: 'flat', secrets_encrypted: Buffer.from('x') };
      await tenant().insertInto('webhooks', row).execute();
      const mail = createMailQueue(app.config.encryption_keys);
      const reason = userId ? 'manual' : 'gone';
      await tenant().transaction((tx) => deactivateWebhook(tx, mail, webhook.id, { reason, user_id: userId }));
    }
  },
};

describe('recorded events', () => {
  test.each(names)('%s matches the contract', async (name) => {
    const before = await stored(name);
    await causes[name]!();
    const rows = (await stored(name)).slice(before.length);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const text = encodeBody(row, new Date().toISOString(), 'envelope');
      const body = JSON.parse(text) as Body;
      expect(errorsOf(name, body)).toEqual([]);
      expect(row.event_type).toBe(eventClasses[name]);
      // No undeclared fields, and in the order of the example.
      expect(unknown(name, body)).toEqual([]);
      expect(Object.keys(body.data)).toEqual(Object.keys(exampleOf(name).data));
      expect(Object.keys(body.data.data ?? {})).toEqual(Object.keys(exampleOf(name).data.data ?? {}));
      expect(maskIds(text)).not.toMatch(/61234|61235|Quirin|5550199|https?:|whsec_/);
      expect(keysOf(body).filter((key) => /salary|emergency|url|token|secret|password/i.test(key))).toEqual([]);
    }
  });

  test('include nothing else, and nothing in another company', async () => {
    const found = new Set((await stored()).map(({ name }) => name));
    expect([...found].toSorted()).toEqual(names.toSorted());
    const otherEvents = await app.database.query<{ name: string }>('select name from events where company_id = $1', [
      app.outsider.company_id,
    ]);
    expect(otherEvents).toEqual([{ name: 'collaborator.created' }]); // of its admin
  });

  test('report changes of hidden fields without their values', async () => {
    const payloads = (await stored('collaborator.updated')).map(({ payload }) => JSON.parse(payload!));
    const hidden = payloads.find(({ changed_fields: changedFields }) => changedFields.includes('salary'));
    expect(hidden.changed_fields).toEqual(expect.arrayContaining(['position', 'salary', 'emergency_contact', 'phone']));
    expect(hidden.previous).toEqual({ position: 'Planner', phone: '+55 11 91234-5678' });
  });

  test('of reports have an idempotency key, others none', async () => {
    const keyed = (await stored()).filter(({ idempotency_key: idempotencyKey }) => idempotencyKey !== null);
    const reports = await stored('report.created');
    expect(keyed.map(({ id }) => id)).toEqual(reports.map(({ id }) => id));
    for (const { payload, idempotency_key: idempotencyKey } of reports) {
      expect(idempotencyKey).toBe(`report-${JSON.parse(payload!).id}`);
    }
  });

  test('keep the payload character by character', async () => {
    const example = exampleOf('document.uploaded').data.data as EventPayload<'document.uploaded'>;
    const payload = { ...Object.fromEntries(Object.entries(example).toReversed()), description: '«é» 😀 \u2028 \\ "' };
    await tenant().transaction(async (tx) => emit(tx, 'document.uploaded', payload as typeof example));
    expect((await stored('document.uploaded')).at(-1)!.payload).toBe(JSON.stringify(payload));
  });

  test('keep the payload when the record changes', async () => {
    const id = await added();
    const of = async () => (await stored('collaborator.created')).find(({ payload }) => payload!.includes(id))!.payload;
    const before = await of();
    await app.admin.patch(`${path}/${id}`, { position: 'Something else' }).expect(200);
    expect(await of()).toBe(before);
  });
});

test('delivered bodies and headers match the contract', async () => {
  const there = await receiver();
  const { id } = await subscribe(app, there.url);
  const worker = await testWorker(app);
  try {
    await app.admin.post(`/v1/webhooks/${id}/activate`, { replay_from: '2020-01-01T00:00:00Z' }).expect(200);
    await app.admin.post(`/v1/webhooks/${id}/test`).expect(202);
    const happened = (await stored()).filter(({ name }) => name !== 'webhook.test').length;
    const requests = await there.received(happened + 1);
    expect(requests).toHaveLength(happened + 1);
    const arrived = new Set<string>();
    for (const request of requests) {
      const body = JSON.parse(request.body.toString()) as Body;
      arrived.add(body.event);
      expect(errorsOf(body.event, body)).toEqual([]);
      for (const { name, required, schema } of declared[body.event]!.post.parameters.map(resolve)) {
        const value = header(request, name);
        const typed = resolve(schema).type === 'integer' ? Number(value) : value;
        if (required) expect([name, schemaErrors(schema, typed)]).toEqual([name, []]);
      }
      expect(header(request, 'X-Webhook-Event')).toBe(body.event);
      expect(header(request, 'X-Webhook-Idempotency-Key')).toBe(body.data.idempotency_key);
    }
    expect([...arrived].toSorted()).toEqual(names.toSorted());
  } finally {
    await worker.stop();
    await there.close();
  }
});

describe('a transaction', () => {
  const example = exampleOf('import.failed').data.data as EventPayload<'import.failed'>;
  const waiting = async () => {
    const events = "select company_id from events where name = 'import.failed' and sequence is null";
    return app.database.query(events);
  };
  const count = async () => (await stored('import.failed')).length;
  let before: number;
  beforeEach(async () => {
    before = await count();
    await app.database.query('update events set sequence = 0 where sequence is null');
  });

  test('with three events leaves them to the company’s dispatcher', async () => {
    await tenant().transaction(async (tx) => {
      for (let i = 0; i < 3; i++) emit(tx, 'import.failed', example);
    });
    expect(await count()).toBe(before + 3);
    expect(await waiting()).toEqual(Array(3).fill({ company_id: app.company_id }));
  });

  test('that rolls back leaves nothing', async () => {
    const failing = tenant().transaction(async (tx) => {
      emit(tx, 'import.failed', example);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect([await count(), await waiting()]).toEqual([before, []]);
  });

  test('keeps nothing of a failed savepoint, but what came before and after', async () => {
    const fails = (tx: Parameters<typeof emit>[0]) =>
      tx.attempt(async () => {
        emit(tx, 'import.failed', example);
        throw new Error('no');
      });
    await tenant().transaction((tx) => expect(fails(tx)).rejects.toThrow('no'));
    expect([await count(), await waiting()]).toEqual([before, []]);
    for (const after of [0, 1]) {
      await tenant().transaction(async (tx) => {
        emit(tx, 'import.failed', example);
        await expect(fails(tx)).rejects.toThrow('no');
        for (let i = 0; i < after; i++) emit(tx, 'import.failed', example);
      });
    }
    expect(await count()).toBe(before + 3);
    expect(await waiting()).toHaveLength(3);
  });

  test('undoes a failed savepoint including successful nested ones', async () => {
    await tenant().transaction(async (tx) => {
      const outer = tx.attempt(async () => {
        emit(tx, 'import.failed', example);
        await tx.attempt(async () => emit(tx, 'import.failed', example));
        throw new Error('no');
      });
      await expect(outer).rejects.toThrow('no');
    });
    expect([await count(), await waiting()]).toEqual([before, []]);
  });

  test('of a rejected request leaves nothing', async () => {
    const [{ total }] = (await app.database.query('select count(*)::int as total from events')) as [{ total: number }];
    await app.admin.post(`${path}/${app.admin.collaborator_id}/role`, { role: 'employee' }).expect(409);
    expect(await app.database.query('select count(*)::int as total from events')).toEqual([{ total }]);
  });
});
