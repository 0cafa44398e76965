import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { deliveryRequest } from '../src/listen/delivery.ts';
import { checkPatterns, matchesAny } from '../src/listen/event-names.ts';
import { CursorRejected, createFeed } from '../src/listen/feed.ts';
import { forward } from '../src/listen/forward.ts';
import { signingSecret } from '../src/listen/secret.ts';
import type { CompanyEvent } from '../src/service/responses.ts';
import { temporaryFolder, testContext } from './helpers.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function event(n: number): CompanyEvent {
  const timestamp = new Date(Date.UTC(2026, 2, 1, 9, 0, n)).toISOString();
  const data = { event_type: 'CollaboratorCreated', timestamp, data: { name: `Zoë ${n}` } };
  return { id: `event-${n}`, event: 'collaborator.created', timestamp, data };
}

test('a request is signed as Standard Webhooks has it, and over the body alone', () => {
  const sentAt = new Date();
  const { headers, body } = deliveryRequest(event(1), secret, sentAt);
  expect(new Webhook(secret).verify(body, Object.fromEntries(headers))).toEqual(JSON.parse(body));
  expect(JSON.parse(body)).toMatchObject({ event: 'collaborator.created', timestamp: sentAt.toISOString() });
  const hex = createHmac('sha256', secret).update(body).digest('hex');
  expect(headers).toContainEqual(['X-Webhook-Signature', hex]);
  const report = event(2);
  report.data.idempotency_key = 'report-1';
  expect(deliveryRequest(report, secret, sentAt).headers).toContainEqual(['X-Webhook-Idempotency-Key', 'report-1']);
});

test('patterns are names, kinds, or all; others are refused with those there are', () => {
  const types = [
    { name: 'collaborator.created', sent: true },
    { name: 'device.updated', sent: false },
  ];
  expect(matchesAny(['collaborator.*'], 'collaborator.created')).toBe(true);
  expect(matchesAny(['*'], 'document.deleted')).toBe(true);
  expect(matchesAny(['collaborator.created', 'document.*'], 'collaborator.updated')).toBe(false);
  checkPatterns(['*', 'device.*', 'collaborator.created'], types);
  expect(() => checkPatterns(['colaborator.*'], types)).toThrow(
    'unknown event colaborator.*; available: collaborator.created, or a group with .*',
  );
});

/** Fake event list; a cursor is the number of the previous event. */
function listOf(events: CompanyEvent[]) {
  const queries: string[] = [];
  const refused = { cursors: false };
  const read = async (query: URLSearchParams) => {
    queries.push(String(query));
    const cursor = query.get('cursor');
    if (cursor !== null && refused.cursors) throw new CursorRejected();
    const all = events.filter(({ timestamp }) => timestamp >= query.get('since')!).slice(Number(cursor ?? 0));
    const data = all.slice(0, Number(query.get('limit')));
    const next = data.length < all.length ? String(Number(cursor ?? 0) + data.length) : null;
    return { data, pagination: { nextCursor: next } };
  };
  return { read, queries, refused };
}

const since = '2026-03-01T09:00:00.000Z';

async function all(feed: ReturnType<typeof createFeed>): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const found = await feed.next();
    if (found.length === 0) return ids;
    for (const one of found) feed.acknowledge(one);
    ids.push(...found.map(({ id }) => id));
  }
}

test('each event comes once and in order, however many there are and whenever they come', async () => {
  const events = Array.from({ length: 250 }, (_, n) => event(n));
  const { read, queries } = listOf(events);
  const feed = createFeed(read, { since, pattern: 'collaborator.*' });
  const ids = await all(feed);
  for (const n of [250, 251]) {
    events.push(event(n));
    ids.push(...(await all(feed)));
  }
  expect(ids).toEqual(Array.from({ length: 252 }, (_, n) => `event-${n}`));
  const before = queries.length;
  expect(await feed.next()).toEqual([]);
  expect(queries.length - before).toBe(1); // while idle: one request, for one known event
  expect(queries.at(-1)).toMatch(/event=collaborator.*cursor=251/);
});

test('what was not taken comes again', async () => {
  const feed = createFeed(listOf([event(1), event(2)]).read, { since, pattern: undefined });
  const [first] = await feed.next();
  feed.acknowledge(first!);
  expect((await feed.next()).map(({ id }) => id)).toEqual(['event-2']);
});

test('a cursor that is refused is replaced by the time, and nothing comes twice or is lost', async () => {
  const events = Array.from({ length: 120 }, (_, n) => event(n));
  const { read, refused } = listOf(events);
  const feed = createFeed(read, { since, pattern: undefined });
  const ids = await all(feed);
  refused.cursors = true;
  events.push(event(120));
  const [more] = await feed.next();
  expect([...ids, more!.id]).toEqual(events.map(({ id }) => id));
});

const receiver = createServer((req, res) => {
  req.resume().on('end', () => res.writeHead(req.url === '/busy' ? 500 : 204).end());
});
let port = 0;
const startReceiver = (at: number) =>
  new Promise<void>((done) => {
    receiver.listen(at, '127.0.0.1', done);
  });
beforeEach(async () => {
  await startReceiver(0);
  ({ port } = receiver.address() as AddressInfo);
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((closed) => receiver.close(closed));
});

const options = (path: string, more: object = {}) => ({
  url: new URL(`http://127.0.0.1:${port}${path}`),
  secret,
  retryS: 60,
  signal: new AbortController().signal,
  onWaiting: () => {},
  ...more,
});

test('any response of the receiver counts', async () => {
  expect(await forward(event(1), options('/hooks'))).toMatchObject({ status: 204, attempts: 1 });
  expect(await forward(event(1), options('/busy'))).toMatchObject({ status: 500, attempts: 1 });
});

test('a receiver that is down is waited for', async () => {
  await new Promise((closed) => receiver.close(closed));
  const onWaiting = () => void startReceiver(port);
  const sent = await forward(event(1), options('/hooks', { onWaiting }));
  expect(sent).toMatchObject({ status: 204 });
  expect(sent.attempts).toBeGreaterThan(1);
});

test('but not for ever, and not after Ctrl-C', async () => {
  await new Promise((closed) => receiver.close(closed));
  await expect(forward(event(1), options('/hooks', { retryS: 0 }))).rejects.toThrow(
    /is unreachable \(ECONNREFUSED\): collaborator\.created event-1 was abandoned after one attempt$/,
  );
  const stop = new AbortController();
  const onWaiting = () => stop.abort(new Error('enough'));
  await expect(forward(event(1), options('/hooks', { signal: stop.signal, onWaiting }))).rejects.toThrow('enough');
  await startReceiver(0);
});

test('the secret is kept on this machine, unless one is given', async () => {
  const folder = await temporaryFolder();
  const { environment } = testContext(folder.path);
  const stored = await signingSecret(environment, undefined);
  expect(stored).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(await signingSecret(environment, undefined)).toBe(stored);
  expect(await signingSecret(environment, secret)).toBe(secret);
  await expect(signingSecret(environment, 'mine')).rejects.toMatchObject({ exitCode: 2 });
  await folder.remove();
});
