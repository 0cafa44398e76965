/** A proxy to Postgres with high latency that counts round trips. */
import { type AddressInfo, connect, createServer } from 'node:net';

/** Latency of a response: far longer than the gap between the packets of one request. */
const answerMs = 30;

/** Counts what is sent before a response as one round trip. @param text counts only the connection that sends it */
export async function roundTripProxy(url: string, text: string) {
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
