/** Helpers of the TypeScript trips: a token, and a webhook receiver. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export const base_url = setting('BASE_URL');
/** Makes names and emails of a trip unique. */
export const run_id = setting('RUN_ID');

export const contract_pdf = Buffer.from(
  '%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n',
);

/** Exchanges the refresh token for an access token, as a client does once an hour (RFC 6749, section 6). */
export async function accessToken(): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: setting('CLIENT_ID'),
    refresh_token: setting('REFRESH_TOKEN'),
  });
  const response = await fetch(`${base_url}/oauth/token`, { method: 'POST', body });
  const tokens = (await response.json()) as { access_token: string; expires_in: number };
  console.log(`token: for ${tokens.expires_in} s`);
  return tokens.access_token;
}

export function person(number: number) {
  return {
    name: `Traveller ${number} ${run_id}`,
    email: `traveller-${number}-${run_id}@verdelog.example`,
    position: 'Driver',
    department: 'Fleet',
  };
}

/** Receives one event, and responds to each with 204. */
export async function receiver(): Promise<{ url: string; next(secret: string): Promise<unknown>; close(): void }> {
  const { promise: first, resolve } = Promise.withResolvers<{ body: Buffer; headers: Record<string, string> }>();
  const server = createServer(async (req, res) => {
    resolve({ body: await buffer(req), headers: req.headers as Record<string, string> });
    res.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    /** @throws when the signature is invalid */
    async next(secret) {
      const { body, headers } = await first;
      return new Webhook(secret).verify(body, headers);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function check(label: string, holds: boolean): asserts holds {
  if (!holds) throw new Error(`unexpected: ${label}`);
}

export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
