/** Outages that a process notices again and again: one line for each reason, not one for each attempt. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { createMailer } from '../../../src/platform/mail/send-mail.ts';
import { createRepeatedWarning } from '../../../src/platform/observe/repeated-warning.ts';
import { startUpkeep } from '../../../src/worker/recovery.ts';

function logged() {
  const lines: { msg: string; err: { message: string } }[] = [];
  return { log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }), lines };
}

test('a failure is logged again when its reason changes, and after it ended', () => {
  const { log, lines } = logged();
  const { failed, ended } = createRepeatedWarning(log, 'not listening');
  for (const reason of ['reset', 'reset', 'refused', 'refused']) failed(new Error(reason));
  ended();
  failed(new Error('refused'));
  expect(lines.map(({ err }) => err.message)).toEqual(['reset', 'refused', 'refused']);
});

test('a worker logs once that it can’t reach its database', async () => {
  const attempts = Promise.withResolvers<void>();
  let connections = 0;
  const server = createServer((socket) => {
    if (++connections === 5) attempts.resolve();
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port, ssl: false });
  const { log, lines } = logged();
  const upkeep = startUpkeep({ pool, every_ms: 1, job_lease_s: 60, workers: () => ['worker-1'], log });
  await attempts.promise;
  await upkeep.stop();
  await pool.end();
  server.close();
  const reasons = lines.map(({ err }) => err.message);
  expect(lines[0]).toMatchObject({ msg: 'could not check for overdue work' });
  expect(reasons.filter((reason, i) => reason === reasons[i - 1])).toEqual([]);
  expect(reasons.length).toBeLessThan(connections);
});

test('a mail server that can’t be reached is named as such', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const url = `smtp://user:password@127.0.0.1:${port}`;
  const mailer = createMailer({ smtp_url: url, from: 'people@verde.example', outbox: '', log: logged().log });
  const mail = { to: 'ana@verde.example', subject: 'Hi', text: 'Hi', html: 'Hi', template: 'x', language: 'en' };
  await expect(mailer.send(mail as never)).rejects.toThrow(
    "the mail server can't be reached (ECONNREFUSED): see SMTP_URL",
  );
  mailer.close();
});
