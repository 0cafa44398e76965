/** A proxy to Postgres with high latency that counts round trips. */
import { type AddressInfo, connect, createServer } from 'node:net';

/** Latency of a response: far longer than the gap between the packets of one request. */
const responseMs = 30;

/** Counts what is sent before a response as one round trip. @param text counts only the connection that sends it */
export async function roundTripProxy(url: string, text: string) {
  const upstreamUrl = new URL(url);
  let counted = { roundTrips: 0 };
  const server = createServer((client) => {
    const counts = { roundTrips: 0 };
    let isAwaitingResponse = false;
    const upstream = connect(Number(upstreamUrl.port), upstreamUrl.hostname);
    client.on('data', (chunk) => {
      if (chunk.includes(text)) counted = counts;
      if (!isAwaitingResponse) counts.roundTrips++;
      isAwaitingResponse = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      setTimeout(() => {
        isAwaitingResponse = false;
        client.write(chunk);
      }, responseMs);
    });
    for (const socket of [client, upstream])
      socket.on('error', () => {}).on('close', () => [client, upstream].map((each) => each.destroy()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const proxyUrl = Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  return {
    url: proxyUrl.href,
    roundTrips: () => counted.roundTrips,
    close: () => new Promise((closed) => server.close(closed)),
  };
}
