/** Chapter: a webhook receiver run by the demo itself: subscription, signature verification, failure, and replay. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Step, type Trip } from './story.ts';

const timeoutMs = 10_000;

interface Received {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** State shared by this chapter's steps. */
const state = {
  url: '',
  secret: '',
  webhook_id: '',
  responseStatus: 204,
  requests: [] as Received[],
  server: null as Server | null,
};

export const webhooks: Step[] = [
  {
    title: 'She subscribes a receiver of her own to the events of collaborators',
    async run(trip) {
      const server = createServer(async (req, res) => {
        state.requests.push({ headers: req.headers, body: await buffer(req) });
        res.writeHead(state.responseStatus).end();
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      server.unref();
      state.server = server;
      state.requests = [];
      state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
      const body = { url: state.url, events: ['collaborator.*'], description: `Demo ${trip.run_id}` };
      const { body: webhook } = await trip.request('POST', '/v1/webhooks', { ...admin(trip), body, status: 201 });
      state.secret = webhook.secret;
      state.webhook_id = webhook.id;
      trip.print(
        `  ${webhook.events.join(', ')} → ${state.url}, signed with ${webhook.secret.slice(0, 10)}… (shown once)`,
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
      const sentMs = performance.now();
      const { body } = await trip.request('POST', '/v1/collaborators', { ...admin(trip), body: person, status: 201 });
      const request = await nextRequest(0);
      trip.print(`  received ${Math.round(performance.now() - sentMs)} ms after the request began`);
      expect('the signature', verifies(request, state.secret), true);
      expect('the signature with another secret', verifies(request, `whsec_${'A'.repeat(43)}=`), false);
      const event = JSON.parse(request.body.toString());
      expect('the event', [event.event, event.data.data.id], ['collaborator.created', body.id]);
      trip.print(
        `  ${event.event}: ${event.data.data.name}, webhook-id ${request.headers['webhook-id']}, signature valid`,
      );
      trip.created.push(body);
    },
  },
  {
    title: 'She replaces the secret of the subscription, and the receiver notices nothing',
    async run(trip) {
      const path = `/v1/webhooks/${state.webhook_id}/rotate-secret`;
      const { body } = await trip.request('POST', path, { ...admin(trip), status: 200 });
      const [earlier, newer] = [state.secret, body.secret];
      trip.print(`  the earlier one stays valid until ${body.previous_secret_expires_at}`);
      const personPath = `/v1/collaborators/${trip.created.at(-1)!.id}`;
      await trip.request('PATCH', personPath, { ...admin(trip), body: { location: 'Porto' }, status: 200 });
      const request = await nextRequest(1);
      const bodySignatureHeader = request.headers['x-webhook-signature'];
      const verifications = [verifies(request, earlier), bodySignatureHeader === bodySignature(request, earlier)];
      expect('both signatures, at a receiver that has not changed over', verifications, [true, true]);
      expect('the signature, at one that has', verifies(request, newer), true);
      trip.print('  good with the earlier secret, in both headers; good with the new one, too');
      state.secret = newer;
    },
  },
  {
    title: 'The receiver says it is gone: its subscription is switched off, and nothing is lost',
    async run(trip) {
      const path = `/v1/webhooks/${state.webhook_id}`;
      const started = new Date().toISOString();
      const personPath = `/v1/collaborators/${trip.created.at(-1)!.id}`;
      state.responseStatus = 410;
      await trip.request('PATCH', personPath, { ...admin(trip), body: { location: 'Braga' }, status: 200 });
      await nextRequest(2);
      await until(async () => (await read(trip, path)).status === 'deactivated');
      const { deactivation_reason: deactivationReason } = await read(trip, path);
      trip.print(`  responded 410, deactivated: ${deactivationReason}`);
      expect('the reason', deactivationReason, 'gone');
      await trip.request('PATCH', personPath, { ...admin(trip), body: { location: 'Évora' }, status: 200 });
      state.responseStatus = 204;
      const body = { replay_from: started };
      await trip.request('POST', `${path}/activate`, { ...admin(trip), body, status: 200 });
      const missed = [await nextRequest(3), await nextRequest(4)];
      const locations = missed.map((request) => JSON.parse(request.body.toString()).data.data.location).sort();
      expect('the locations in the two events', locations, ['Braga', 'Évora']);
      trip.print('  activated with replay_from: both changes arrived');
    },
  },
  {
    title: 'The log of deliveries shows requests and responses; then she ends the subscription',
    async run(trip) {
      const path = `/v1/webhooks/${state.webhook_id}`;
      await until(async () => (await read(trip, `${path}/deliveries?status=succeeded`)).data.length === 4);
      const { body } = await trip.request('GET', `${path}/deliveries`, { ...admin(trip), status: 200 });
      for (const { event, status, attempt_count: attemptCount, last_status_code: lastStatusCode } of body.data) {
        trip.print(`  ${event}: ${status} after ${attemptCount} attempts, last response ${lastStatusCode}`);
      }
      const { body: test } = await trip.request('POST', `${path}/test?wait=true`, { ...admin(trip), status: 200 });
      const [attempt] = test.attempts;
      expect('the body in the log', attempt.request.body, state.requests.at(-1)!.body.toString());
      trip.print(
        `  ${test.event}: ${attempt.status_code} after ${attempt.duration_ms} ms, the log has the body byte for byte`,
      );
      await trip.request('DELETE', path, { ...admin(trip), status: 200 });
      state.server?.closeAllConnections();
      state.server?.close();
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
  const receivedSignatures = String(headers['webhook-signature']).split(' ');
  return receivedSignatures.some((signature) => {
    const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

/** The value of `X-Webhook-Signature`. */
function bodySignature({ body }: Received, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

async function nextRequest(index: number): Promise<Received> {
  await until(async () => state.requests.length > index);
  return state.requests[index]!;
}

/** Requests without printing. */
// biome-ignore lint/suspicious/noExplicitAny: each step knows the shape of its response.
async function read(trip: Trip, path: string): Promise<any> {
  const response = await fetch(new URL(path, `${trip.base_url}/`), {
    headers: { authorization: `Bearer ${trip.tokens.admin}`, 'x-company-id': trip.company_id },
  });
  return response.json();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; !(await holds()); await sleep(25)) {
    if (performance.now() > deadline)
      throw new Error(`the expected change did not happen within ${timeoutMs / 1000} s`);
  }
}
