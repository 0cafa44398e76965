/** HTTPS by the service itself, with real certificates: protocols, ciphers, and certificate reload. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect as connectPlainly } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { readCertificate } from '../../../src/api/server/tls.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { eventually } from '../../helpers/eventually.ts';
import { certificateAuthority } from '../../helpers/network/certificate.ts';
import { raw } from '../../helpers/network/raw.ts';
import { killProcesses, startProcess } from '../../helpers/process.ts';
import { testSettings } from '../../helpers/settings.ts';

const authority = certificateAuthority();
let database: TestDatabase;
let folder: string;
let files: { TLS_CERT: string; TLS_KEY: string };
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tls-'));
  files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
});
afterAll(async () => {
  killProcesses();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function store({ cert, key }: { cert: string; key: string }): Promise<void> {
  await writeFile(files.TLS_CERT, cert);
  await writeFile(files.TLS_KEY, key);
}

interface TlsResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  socket: TLSSocket;
}

function get(url: string, agent?: Agent): Promise<TlsResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca: authority.ca, agent: agent ?? false }, (response) => {
      const { statusCode = 0, headers, socket } = response;
      response.resume().once('end', () => resolve({ status: statusCode, headers, socket: socket as TLSSocket }));
    });
    sent.once('error', reject).end();
  });
}

/** The fingerprint of the certificate on a new connection. */
async function servedCertificate(baseUrl: string): Promise<string> {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), ca: authority.ca });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

function handshake(
  baseUrl: string,
  maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3',
  ciphers = 'DEFAULT',
): Promise<string | null> {
  const { port, hostname } = new URL(baseUrl);
  // Level 0 lets the client offer insecure settings, so that the rejection comes from the service.
  const options = { ca: authority.ca, minVersion: maxVersion, maxVersion, ciphers: `${ciphers}@SECLEVEL=0` };
  const socket = connect({ host: hostname, port: Number(port), ...options });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getProtocol());
      socket.destroy();
    });
  });
}

test('speaks only HTTPS with TLS 1.2 and 1.3; SIGHUP reloads the certificate without closing connections', async () => {
  await store(authority.issue());
  const service = startProcess({
    DATABASE_URL: database.url,
    REQUIRE_HTTPS: 'true',
    SHUTDOWN_TIMEOUT_MS: '200000',
    ...files,
  });
  const baseUrl = await service.ready();
  expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const first = await get(`${baseUrl}/.well-known/oauth-authorization-server`);
  expect(first.status).toBe(200);
  expect(first.headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  expect(await handshake(baseUrl, 'TLSv1.2')).toBe('TLSv1.2');
  expect(await handshake(baseUrl, 'TLSv1.3')).toBe('TLSv1.3');
  await expect(handshake(baseUrl, 'TLSv1.1')).rejects.toThrow(/protocol version|unsupported protocol/i);
  // Requires forward secrecy and authenticated encryption.
  for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA']) {
    await expect(handshake(baseUrl, 'TLSv1.2', ciphers)).rejects.toThrow(/handshake failure/i);
  }
  expect(await handshake(baseUrl, 'TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256')).toBe(
    'TLSv1.2',
  );
  const plain = await raw(baseUrl.replace('https:', 'http:'), 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(plain.text).not.toContain('ok');

  const old = await servedCertificate(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const firstResponse = await get(`${baseUrl}/healthz`, agent);
  const reload = async (message: string) => {
    const before = service.lines().filter(({ msg }) => msg === message).length;
    service.child.kill('SIGHUP');
    await eventually(() => expect(service.lines().filter(({ msg }) => msg === message)).toHaveLength(before + 1));
  };

  await store(authority.issue());
  await reload('certificate reloaded');
  const replaced = await servedCertificate(baseUrl);
  expect(replaced).not.toBe(old);
  const secondResponse = await get(`${baseUrl}/healthz`, agent);
  expect(secondResponse.status).toBe(200);
  expect(secondResponse.socket).toBe(firstResponse.socket); // the same connection, still open

  const notUsed = "the new certificate can't be used; keeping the current one";
  await store({ ...authority.issue(), key: authority.issue().key });
  await reload(notUsed);
  await store(authority.issue({ expired: true }));
  await reload(notUsed);
  await writeFile(files.TLS_CERT, 'not a certificate');
  await reload(notUsed);
  await rm(files.TLS_CERT);
  await reload(notUsed);
  expect(await servedCertificate(baseUrl)).toBe(replaced);
  expect(service.stdout()).not.toContain('PRIVATE KEY');
  agent.destroy();
  // Shutdown waits for a connection neither before its handshake nor before its request.
  const port = Number(new URL(baseUrl).port);
  const unused = connectPlainly(port, '127.0.0.1');
  const idle = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await Promise.all([once(unused, 'connect'), once(idle, 'secureConnect')]);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  idle.destroy();
});

describe('can’t be used', () => {
  const issued = authority.issue();
  const mismatched = { ...issued, key: authority.issue().key };
  test.each<[string, { cert: string; key: string }, RegExp, string?]>([
    ['a key that belongs to another certificate', mismatched, /^TLS_KEY: .*does not match/],
    ['a certificate that has expired', authority.issue({ expired: true }), /^TLS_CERT: .* expired on \d{4}-/],
    ['a file without a certificate', { ...issued, cert: 'x' }, /^TLS_CERT: .* has no PEM certificate/],
    ['a file that is not there', issued, /^TLS_KEY: \/nowhere\/key.pem can't be read/, '/nowhere/key.pem'],
  ])('%s', async (_, certificate, message, keyFile = files.TLS_KEY) => {
    await store(certificate);
    await expect(readCertificate({ certFile: files.TLS_CERT, keyFile })).rejects.toThrow(message);
  });
});

test('refuses to start with an unusable certificate, in one clear line', async () => {
  await store(authority.issue({ expired: true }));
  const { ended, stderr } = startProcess({ DATABASE_URL: database.url, ...files });
  expect(await ended).toBe(1);
  expect(stderr()).toMatch(/^TLS_CERT: .* expired on .*\n$/);
  expect(() => readConfig({ ...testSettings, ...files, TLS_KEY: '' })).toThrow(/TLS_CERT and TLS_KEY belong together/);
});
