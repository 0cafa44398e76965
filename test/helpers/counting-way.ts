/** A long way to Postgres that counts how often it was asked. */
import { type AddressInfo, connect, createServer } from 'node:net';

/** How long an answer is on its way: far more than the parts of one question lie apart. */
const answerMs = 30;

/**
 * What is sent before the answer to it comes is one question.
 * @param text counts on the connection that sends it: others look whether all machines are there
 */
export async function countingWay(url: string, text: string) {
  const there = new URL(url);
  let counted = { asked: 0 };
  const server = createServer((near) => {
    const counts = { asked: 0 };
    let isAsking = false;
    const far = connect(Number(there.port), there.hostname);
    near.on('data', (chunk) => {
      if (chunk.includes(text)) counted = counts;
      if (!isAsking) counts.asked++;
      isAsking = true;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      setTimeout(() => {
        isAsking = false;
        near.write(chunk);
      }, answerMs);
    });
    for (const socket of [near, far])
      socket.on('error', () => {}).on('close', () => [near, far].map((each) => each.destroy()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const through = Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  return { url: through.href, asked: () => counted.asked, close: () => new Promise((closed) => server.close(closed)) };
}
