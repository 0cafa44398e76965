// Cost of webhooks for writers: API creations with subscriptions, compared with none.
import { setTimeout as sleep } from 'node:timers/promises';
import { stopServer } from '../harness/servers.ts';
import type { Figures } from './measures.ts';
import type { Receiver } from './receiver.ts';
import type { ThisService } from './this-service.ts';

const writers = 8;
const subscriptions = 5;
const warmMs = 2_000;

export async function writes(service: ThisService, receiver: Receiver, seconds: number): Promise<Figures> {
  const addresses = receiver.answering(subscriptions);
  await service.subscribe([]);
  const without = await creations(service, seconds);
  await service.subscribe(addresses);
  const matching = await creations(service, seconds);
  await service.subscribe(addresses);
  const worker = service.startWorker();
  await sleep(warmMs);
  const sending = await creations(service, seconds);
  stopServer(worker);
  await receiver.readArrivals();
  return {
    writes_per_s: without,
    writes_five_share: matching / without,
    writes_sending_share: sending / without,
  };
}

let number = 0;

/** @returns creations per second, with concurrency 8 */
async function creations(service: ThisService, seconds: number): Promise<number> {
  let done = 0;
  const until = performance.now() + seconds * 1000;
  const one = async () => {
    while (performance.now() < until) {
      await service.publish(1e9 + number++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: writers }, one));
  return done / seconds;
}
