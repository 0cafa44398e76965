import { eventClasses } from '../../../src/product/events/catalogue.ts';
import { type EventRow, encodeBody, flatEvent } from '../../../src/product/webhooks/deliveries/webhook-body.ts';
import { sampleEvents } from '../../../src/product/webhooks/sample-events.ts';
import { eventTypes } from '../../../src/product/webhooks/subscriptions/event-types.ts';

const event: EventRow = {
  id: '0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46',
  name: 'collaborator.created',
  event_type: 'CollaboratorCreated',
  payload: '{"id":"c1","name":"João"}',
  idempotency_key: null,
  created_at: '2026-03-02T09:15:00.027Z',
};
const sentAt = '2026-03-02T09:15:01.204Z';

describe('envelope', () => {
  const encode = (more: Partial<EventRow> = {}) => encodeBody({ ...event, ...more }, sentAt, 'envelope');

  test('has exactly these characters', () => {
    expect(encode()).toBe(
      '{"event":"collaborator.created","timestamp":"2026-03-02T09:15:01.204Z","data":{' +
        '"event_type":"CollaboratorCreated","timestamp":"2026-03-02T09:15:00.027Z",' +
        '"data":{"id":"c1","name":"João"}}}',
    );
  });

  test('of a test has no data', () => {
    const test = { name: 'webhook.test', event_type: 'WebhookTest', payload: null };
    expect(encode(test)).toBe(
      '{"event":"webhook.test","timestamp":"2026-03-02T09:15:01.204Z","data":' +
        '{"event_type":"WebhookTest","timestamp":"2026-03-02T09:15:00.027Z"}}',
    );
  });

  test('has the idempotency key after the data', () => {
    expect(encode({ idempotency_key: 'report-"1"' })).toContain(
      '"data":{"id":"c1","name":"João"},"idempotency_key":"report-\\"1\\""}}',
    );
  });

  test.each([
    '{"b":1,"a":2,"10":3,"9":4}',
    '{"a": 1.50, "b" : [1e3, 12345678901234567890]}',
    '{"text":"日本語 💡 \\u00e9 \\/ \\"\\\\ \u2028"}',
    '{"a":1,"a":2}',
    '{}',
  ])('embeds the payload %s unchanged', (payload) => {
    const body = encode({ payload });
    expect(body).toContain(`,"data":${payload}}}`);
    expect(() => JSON.parse(body)).not.toThrow();
  });

  test('matches the contract’s example for every event', () => {
    const withExample = eventTypes.filter(({ example }) => example);
    expect(withExample.map(({ name }) => name)).toEqual(Object.keys(eventClasses));
    for (const { name, example } of withExample) {
      if (!example) continue;
      const { event_type: eventType, timestamp, data, idempotency_key: idempotencyKey = null } = example.data;
      const payload = data ? JSON.stringify(data) : null;
      const row = {
        id: 'x',
        name,
        event_type: eventType,
        payload,
        idempotency_key: idempotencyKey,
        created_at: timestamp,
      };
      expect(encodeBody(row, example.timestamp, 'envelope')).toBe(JSON.stringify(example));
    }
  });
});

describe('flat', () => {
  const flat = (data: unknown, name = 'collaborator.updated') => {
    const row = { ...event, name, payload: data === undefined ? null : JSON.stringify(data) };
    const { id: _, event: __, event_type: ___, timestamp: ____, ...fields } = flatEvent(row);
    return fields as Record<string, unknown>;
  };

  test('has exactly these characters, whenever it is delivered', () => {
    expect(encodeBody(event, sentAt, 'flat')).toBe(
      '{"id":"0199a3c4-52b7-7f04-a6c3-9d1e8b5f2c46","event":"collaborator.created",' +
        '"event_type":"CollaboratorCreated","timestamp":"2026-03-02T09:15:00.027Z",' +
        '"collaborator_id":"c1","name":"João"}',
    );
  });

  test('has the idempotency key only if there is one', () => {
    expect(flatEvent({ ...event, idempotency_key: 'report-1' })).toMatchObject({ idempotency_key: 'report-1' });
    expect(flatEvent(event)).not.toHaveProperty('idempotency_key');
  });

  test.each<[string, unknown, object]>([
    ['fields keep their names and values', { a: 'x', b: 1.5, c: false }, { a: 'x', b: 1.5, c: false }],
    ['the id is named after the namespace', { id: '1', name: 'x' }, { collaborator_id: '1', name: 'x' }],
    ['an id further inside is not', { manager: { id: '1' } }, { manager__id: '1' }],
    ['null stays null', { a: null, b: { c: null } }, { a: null, b__c: null }],
    ['objects give a field for each member', { a: { b: { c: 1, d: 2 } } }, { a__b__c: 1, a__b__d: 2 }],
    ['without members they give none', { a: {}, b: { c: {} }, d: 1 }, { d: 1 }],
    ['a list becomes one text', { a: ['x', 'y z', 3, true] }, { a: 'x, y z, 3, true' }],
    ['an empty list becomes an empty text', { a: [], b: { c: [] } }, { a: '', b__c: '' }],
    ['a list of other things stays one text', { a: [null, { b: 1 }, ['c']] }, { a: 'null, {"b":1}, ["c"]' }],
    ['names with dots are names', { events: { 'a.b': false } }, { 'events__a.b': false }],
    ['no data, no fields', undefined, {}],
    ['no field of the payload replaces one of the envelope', { event: 'x', timestamp: 'y', a: 1 }, { a: 1 }],
  ])('%s', (_, data, expected) => {
    expect(flat(data)).toEqual(expected);
  });

  test.each([
    ['document.deleted', 'document_id'],
    ['import.failed', 'import_id'],
    ['webhook.deactivated', 'webhook_id'],
  ])('maps the id of %s to %s', (name, field) => {
    expect(flat({ id: '1' }, name)).toEqual({ [field]: '1' });
  });

  test('treats names special in JavaScript as plain names', () => {
    const fields = flatEvent({ ...event, payload: '{"__proto__":{"polluted":"yes"},"constructor":1}' });
    expect(Object.entries(fields).slice(4)).toEqual([
      ['__proto____polluted', 'yes'],
      ['constructor', 1],
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('contains only texts, numbers, booleans, and null for every event', () => {
    expect(sampleEvents('*').length).toBeGreaterThanOrEqual(Object.keys(eventClasses).length);
    for (const sample of sampleEvents('*')) {
      for (const value of Object.values(sample)) {
        expect(value === null || ['string', 'number', 'boolean'].includes(typeof value)).toBe(true);
      }
    }
  });

  test('has fields in payload order after those of the envelope', () => {
    const { payload } = { payload: '{"z":1,"id":"c1","m":{"b":1,"a":2}}' };
    expect(Object.keys(flatEvent({ ...event, payload }))).toEqual([
      'id',
      'event',
      'event_type',
      'timestamp',
      'z',
      'collaborator_id',
      'm__b',
      'm__a',
    ]);
  });
});
