// Loaded into a process of the service by `node --expose-gc --import`: tells what it holds, after a garbage collection.

export interface Held {
  rssBytes: number;
  heapUsedBytes: number;
  /** Buffers and what native code holds for JavaScript. */
  externalBytes: number;
  /** Timers, sockets and whatever else keeps the event loop busy. */
  resources: number;
}

process.on('message', () => {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  process.send!({ rssBytes: rss, heapUsedBytes: heapUsed, externalBytes: external, resources } satisfies Held);
});
process.channel?.unref();
