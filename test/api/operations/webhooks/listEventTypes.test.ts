import { contract } from '../../../../src/contract/contract.ts';
import { eventClasses } from '../../../../src/product/events/catalogue.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { schemaErrors } from '../../../helpers/contract/contract-schemas.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => app.close());

const path = '/v1/webhooks/event-types';

interface EventType {
  name: string;
  event_type: string;
  description: string;
  payload_version: string;
  sent: boolean;
  example: { event: string; data: { event_type: string } } | null;
}

async function types(language = 'en'): Promise<EventType[]> {
  return (await app.admin.get(path).set('Accept-Language', language).expect(200)).body.data;
}

describe('succeeds', () => {
  test('lists every event that the service sends, then reserved ones', async () => {
    const found = await types();
    const sent = found.filter(({ sent }) => sent);
    expect(sent.map(({ name, event_type: eventType }) => [name, eventType])).toEqual(Object.entries(eventClasses));
    expect(
      found.slice(sent.length).map(({ name, event_type: eventType, example }) => [name, eventType, example]),
    ).toEqual([
      ['device.updated', 'DeviceUpdated', null],
      ['geofence.updated', 'GeofenceUpdated', null],
      ['schedule.deleted', 'ScheduleDeleted', null],
    ]);
    for (const { description, payload_version: payloadVersion } of found) {
      expect(description).toMatch(/^\S[^\n]+\.$/);
      expect(payloadVersion).toBe('1.0.0');
    }
  });

  test.each([
    ['pt-BR', /^Enviado uma vez para cada colaborador .*`data\.data`/],
    ['es', /^Se envía una vez por cada colaborador .*`data\.data`/],
  ])('describes every event in %s, with the same names of fields and events', async (language, first) => {
    const code = (description: string) => description.match(/`[^`]+`/g)?.sort();
    const english = await types();
    const translated = await types(language);
    expect(translated[0]!.description).toMatch(first);
    for (const [index, { name, description }] of english.entries()) {
      const { description: ours } = translated[index]!;
      expect(translated[index]).toEqual({ ...english[index], description: ours });
      expect(`${name}: ${ours}`).not.toBe(`${name}: ${description}`);
      expect(code(ours)).toEqual(code(description));
    }
  });

  test('each example is valid for its event', async () => {
    for (const { name, event_type: eventType, example } of (await types()).filter(({ sent }) => sent)) {
      const { schema } = contract.webhooks[name]!.post.requestBody.content['application/json'] as never as {
        schema: object;
      };
      expect(schemaErrors(schema, example)).toEqual([]);
      expect(example).toMatchObject({ event: name, data: { event_type: eventType } });
    }
  });

  test('all can be subscribed to, by name and by namespace', async () => {
    const names = (await types()).map(({ name }) => name);
    const namespaces = new Set(names.map((name) => `${name.split('.')[0]}.*`));
    const body = { url: 'http://127.0.0.1:9009/', events: [...names, ...namespaces, '*'] };
    await app.admin.post('/v1/webhooks', body).expect(201);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown parameter', async () => {
    await app.admin.get(`${path}?sent=true`).expect(400);
  });
});

describe('forbidden by role', () => {
  test('rejects everyone but admins', async () => {
    for (const client of [app.manager, app.employee]) await client.get(path).expect(403);
  });
});
