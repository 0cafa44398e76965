/**
 * Sends marker words in every field of every operation, and everywhere else a client can write, while mail server and
 * receivers reject requests: no marker may reach logs or job errors.
 */
import { contractOperations, resolve, type Schema } from '../../../src/contract/contract.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Receiver, receiver } from '../../helpers/network/receiver.ts';
import { startSmtp, type TestSmtp } from '../../platform/mail/smtp.ts';
import { type WatchedService, watchedService } from '../observe/service.ts';

const word = 'qxperson';
const address = `ana.${word}@example.com`;
let service: WatchedService;
let smtp: TestSmtp;
let hooks: Receiver;

beforeAll(async () => {
  [smtp, hooks] = await Promise.all([startSmtp(), receiver()]);
  smtp.rejectsRecipients = true;
  hooks.respond((response, { body }) => void response.writeHead(500).end(body));
  service = await watchedService({
    SMTP_URL: smtp.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'trace',
    LOG_SLOW_QUERY_MS: '1',
  });
});
afterAll(async () => {
  await service.close();
  await Promise.all([smtp.close(), hooks.close()]);
});

/** A body with the marker in every text, valid or not. */
function bodyOf(schema: Schema, depth = 0): unknown {
  const { properties, items, type, enum: values, allOf, anyOf } = resolve(schema) as Schema & { anyOf?: Schema[] };
  if (properties && depth < 4) {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, bodyOf(field, depth + 1)]));
  }
  if (items) return [bodyOf(items, depth + 1)];
  const [first] = allOf ?? anyOf ?? [];
  if (first) return bodyOf(first, depth);
  if (Array.isArray(values)) return values[0];
  const kinds = [type].flat();
  if (kinds.includes('boolean')) return false;
  return kinds.includes('integer') || kinds.includes('number') ? 7 : address;
}

/** Sends the marker in path, query parameters, headers, and body. */
async function requestEverything(id: string): Promise<void> {
  for (const { method, path, operation } of contractOperations) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const query = (operation.parameters ?? [])
      .filter((each) => each.in === 'query')
      .map(({ name }) => `${name}=${address}`);
    const headers = { 'User-Agent': word, Referer: `https://example.com/${word}`, 'If-Match': `"${word}"` };
    const body = schema && bodyOf(schema);
    const targets = [path.replaceAll(/\{\w+\}/g, id)];
    if (query.length > 0) targets.push(`${path.replaceAll(/\{\w+\}/g, address)}?${query.join('&')}`);
    for (const target of targets) {
      await service.request(method.toUpperCase(), target, headers, body).then((reply) => reply.text());
    }
  }
}

test('none is in the log or in job errors', async () => {
  const post = async (path: string, body: unknown) => {
    const reply = await service.request('POST', path, {}, body);
    return [reply.status, (await reply.json()) as { id: string }] as const;
  };
  await post('/v1/webhooks', { url: `${hooks.url}${word}`, events: ['*'], headers: { 'X-Key': word } });
  const texts = { name: `Ana ${word}`, position: word, department: word, location: word };
  const [created, { id }] = await post('/v1/collaborators', { ...texts, email: address });
  const [duplicate] = await post('/v1/collaborators', { ...texts, email: address });
  const [invited] = await post(`/v1/collaborators/${id}/send-invitation`, {});
  expect([created, duplicate, invited]).toEqual([201, 400, 200]);
  const contentBase64 = Buffer.from(`name,email,position,department\nBen ${word},ben.${word}@,x,y\n`).toString(
    'base64',
  );
  await post('/v1/collaborators/import', { filename: `${word}.csv`, content_base64: contentBase64, dry_run: true });
  await requestEverything(id);

  const strays = [
    'GET /v1/people/',
    'GET /files/',
    'GET /oauth/invitation/',
    'GET /docs/',
    'DELETE /',
    'GET /auth/user/',
  ];
  for (const stray of strays) {
    const [method = '', path] = stray.split(' ');
    await fetch(`${service.base_url}${path}${address}?email=${address}`, { method }).then((reply) => reply.text());
  }
  const form = new URLSearchParams({ grant_type: 'password', username: address, password: word, client_id: word });
  await fetch(`${service.base_url}/oauth/token`, { method: 'POST', body: form }).then((reply) => reply.text());
  await fetch(`${service.base_url}/oauth/authorize?login_hint=${address}&client_id=${word}`).then((reply) =>
    reply.text(),
  );

  const errors = await eventually(async () => {
    const sql =
      "select last_error from graphile_worker.jobs where task_identifier = 'sendMail' and last_error is not null";
    const rows = await service.database.query<{ last_error: string }>(sql);
    expect(rows.length).toBeGreaterThan(0);
    expect(hooks.requests.length).toBeGreaterThan(0);
    return rows;
  });
  expect(errors.map(({ last_error: lastError }) => lastError).filter((text) => text.includes(word))).toEqual([]);
  await service.stop();
  const lines = service.lines();
  expect(lines.filter(({ msg }) => msg === 'job failed').length).toBeGreaterThan(0);
  expect(lines.length).toBeGreaterThan(contractOperations.length);
  expect(lines.filter((line) => JSON.stringify(line).includes(word))).toEqual([]);
});
