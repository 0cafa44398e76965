/** Open connections from one address can't lock others out. */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { limitConnections } from '../../../src/api/server/connection-limit.ts';
import { proxyAddresses } from '../../../src/platform/config/trusted-proxies.ts';
import { testApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';

const most = 5;

/** A connection that sends one request and stays open. */
function openFrom(baseUrl: string, localAddress: string) {
  const socket = connect({ port: Number(new URL(baseUrl).port), host: '127.0.0.1', localAddress });
  const state = { socket, responded: false, closed: false };
  socket.on('error', () => {});
  socket.on('data', () => (state.responded = true));
  socket.on('close', () => (state.closed = true));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  return state;
}

async function opened(baseUrl: string, count: number, localAddress = '127.0.0.1') {
  const all = Array.from({ length: count }, () => openFrom(baseUrl, localAddress));
  await eventually(() => expect(all.filter(({ responded, closed }) => responded || closed)).toHaveLength(count));
  return { all, responded: all.filter((each) => each.responded).length };
}

test('rejects connections beyond an address’s share, and accepts others, and new ones when some close', async () => {
  const app = await testApp({ MAX_CONNECTIONS_PER_ADDRESS: String(most) });
  const first = await opened(app.base_url, most + 3);
  expect(first.responded).toBe(most);
  expect((await opened(app.base_url, 3, '127.0.0.2')).responded).toBe(3);
  for (const { socket } of first.all) socket.destroy();
  await eventually(async () => expect((await opened(app.base_url, 1)).responded).toBe(1));
  await app.close();
});

test('a trusted proxy has no share, because it carries everyone’s connections', async () => {
  const app = await testApp({ MAX_CONNECTIONS_PER_ADDRESS: String(most), TRUST_PROXY: 'loopback' });
  expect((await opened(app.base_url, 3 * most)).responded).toBe(3 * most);
  await app.close();
});

test('an IPv6 network counts as one address, and IPv4 is the same in every notation', () => {
  const server = new EventEmitter();
  let refused = 0;
  const proxies = proxyAddresses('fd00::/8, 10.0.0.1');
  limitConnections(server as Server, { maxPerNetwork: 1, proxies }, () => (refused += 1));
  const from = (remoteAddress: string) => {
    const before = refused;
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: () => {} });
    server.emit('connection', socket);
    return { activateMember: refused === before, close: () => socket.emit('close') };
  };
  const first = from('2001:db8:0:1::5');
  expect(first.activateMember).toBe(true);
  expect(from('2001:db8:0:1:ffff::1').activateMember).toBe(false);
  expect(from('2001:db8:0:2::5').activateMember).toBe(true);
  first.close();
  expect(from('2001:db8::1:0:0:0:9').activateMember).toBe(true);
  expect(from('203.0.113.7').activateMember).toBe(true);
  expect(from('::ffff:203.0.113.7').activateMember).toBe(false);
  for (let i = 0; i < 3; i++)
    expect([from('::ffff:10.0.0.1').activateMember, from('fd12::1').activateMember]).toEqual([true, true]);
});
