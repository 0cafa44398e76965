/** Chapter: a webhook receiver run by the demo itself: subscription, signature verification, failure, and replay. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Step, type Trip } from './story.ts';

const patienceMs = 10_000;

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** State shared by this chapter's steps. */
const there = {
  url: '',
  secret: '',
  webhook_id: '',
  answer: 204,
  requests: [] as Received[],
  server: null as Server | null,
};

export const webhooks: Step[] = [
  {
    title: 'She subscribes a receiver of her own to the events of collaborators',
    async run(trip) {
      const server = createServer(async (req, res) => {
        there.requests.push({ headers: req.headers, body: await buffer(req) });
        res.writeHead(there.answer).end();
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      server.unref();
      there.server = server;
      there.requests = [];
      there.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
      const body = { url: there.url, events: ['collaborator.*'], description: `Demo ${trip.run_id}` };
      const { body: webhook } = await trip.request('POST', '/v1/webhooks', { ...admin(trip), body, status: 201 });
      there.secret = webhook.secret;
      there.webhook_id = webhook.id;
      trip.say(
        `  ${webhook.events.join(', ')} → ${there.url}, signed with ${webhook.secret.slice(0, 10)}… (shown once)`,
      );
    },
  },
  {
    title: 'She adds someone, and the receiver gets a signed event',
    async run(trip) {
      const person = {
        name: 'Wanda Webhook',
        email: `wanda+${trip.run_id}@verdelog.example`,
        position: 'Driver',
        department: 'Fleet',
        manager_id: trip.created[0]!.manager_id,
      };
      const asked = performance.now();
      const { body } = await trip.request('POST', '/v1/collaborators', { ...admin(trip), body: person, status: 201 });
      const request = await nextRequest(0);
      trip.say(`  received ${Math.round(performance.now() - asked)} ms after the request began`);
      expect('the signature', verifies(request, there.secret), true);
      expect('the signature with another secret', verifies(request, `whsec_${'A'.repeat(43)}=`), false);
      const event = JSON.parse(request.body.toString());
      expect('the event', [event.event, event.data.data.id], ['collaborator.created', body.id]);
      trip.say(
        `  ${event.event}: ${event.data.data.name}, webhook-id ${request.headers['webhook-id']}, signature good`,
      );
      trip.created.push(body);
    },
  },
  {
    title: 'She replaces the secret of the subscription, and the receiver notices nothing',
    async run(trip) {
      const path = `/v1/webhooks/${there.webhook_id}/rotate-secret`;
      const { body } = await trip.request('POST', path, { ...admin(trip), status: 200 });
      const [earlier, newer] = [there.secret, body.secret];
      trip.say(`  the earlier one goes on until ${body.previous_secret_expires_at}`);
      const someone = `/v1/collaborators/${trip.created.at(-1)!.id}`;
      await trip.request('PATCH', someone, { ...admin(trip), body: { location: 'Porto' }, status: 200 });
      const request = await nextRequest(1);
      const byBody = request.headers['x-webhook-signature'];
      const still = [verifies(request, earlier), byBody === bodySignature(request, earlier)];
      expect('both signatures, at a receiver that has not changed over', still, [true, true]);
      expect('the signature, at one that has', verifies(request, newer), true);
      trip.say('  good with the earlier secret, in both headers; good with the new one, too');
      there.secret = newer;
    },
  },
  {
    title: 'The receiver says it is gone: its subscription is switched off, and nothing is lost',
    async run(trip) {
      const path = `/v1/webhooks/${there.webhook_id}`;
      const started = new Date().toISOString();
      const someone = `/v1/collaborators/${trip.created.at(-1)!.id}`;
      there.answer = 410;
      await trip.request('PATCH', someone, { ...admin(trip), body: { location: 'Braga' }, status: 200 });
      await nextRequest(2);
      await until(async () => (await read(trip, path)).status === 'deactivated');
      const { deactivation_reason: deactivationReason } = await read(trip, path);
      trip.say(`  answered 410, deactivated: ${deactivationReason}`);
      expect('the reason', deactivationReason, 'gone');
      await trip.request('PATCH', someone, { ...admin(trip), body: { location: 'Évora' }, status: 200 });
      there.answer = 204;
      const body = { replay_from: started };
      await trip.request('POST', `${path}/activate`, { ...admin(trip), body, status: 200 });
      const missed = [await nextRequest(3), await nextRequest(4)];
      const places = missed.map((request) => JSON.parse(request.body.toString()).data.data.location).sort();
      expect('the locations in the two events', places, ['Braga', 'Évora']);
      trip.say('  activated with replay_from: both changes arrived');
    },
  },
  {
    title: 'The log of deliveries tells what was sent and answered; then she ends the subscription',
    async run(trip) {
      const path = `/v1/webhooks/${there.webhook_id}`;
      await until(async () => (await read(trip, `${path}/deliveries?status=succeeded`)).data.length === 4);
      const { body } = await trip.request('GET', `${path}/deliveries`, { ...admin(trip), status: 200 });
      for (const { event, status, attempt_count: attemptCount, last_status_code: lastStatusCode } of body.data) {
        trip.say(`  ${event}: ${status} after ${attemptCount} attempts, last answer ${lastStatusCode}`);
      }
      const { body: test } = await trip.request('POST', `${path}/test?wait=true`, { ...admin(trip), status: 200 });
      const [attempt] = test.attempts;
      expect('the body in the log', attempt.request.body, there.requests.at(-1)!.body.toString());
      trip.say(
        `  ${test.event}: ${attempt.status_code} after ${attempt.duration_ms} ms, the log has the body byte for byte`,
      );
      await trip.request('DELETE', path, { ...admin(trip), status: 200 });
      there.server?.closeAllConnections();
      there.server?.close();
    },
  },
];

function admin({ tokens, company_id: companyId }: Trip) {
  return { token: tokens.admin, company_id: companyId };
}

/** Verifies the raw bytes in constant time, as receivers should. */
function verifies({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = createHmac('sha256', key).update(signed).digest();
  const given = String(headers['webhook-signature']).split(' ');
  return given.some((signature) => {
    const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

/** The value of `X-Webhook-Signature`. */
function bodySignature({ body }: Received, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

async function nextRequest(index: number): Promise<Received> {
  await until(async () => there.requests.length > index);
  return there.requests[index]!;
}

/** Requests without printing. */
// biome-ignore lint/suspicious/noExplicitAny: each step knows the shape of its answer.
async function read(trip: Trip, path: string): Promise<any> {
  const answer = await fetch(new URL(path, `${trip.base_url}/`), {
    headers: { authorization: `Bearer ${trip.tokens.admin}`, 'x-company-id': trip.company_id },
  });
  return answer.json();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + patienceMs; !(await holds()); await sleep(25)) {
    if (performance.now() > deadline)
      throw new Error(`the expected change did not happen within ${patienceMs / 1000} s`);
  }
}
