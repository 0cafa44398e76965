// Loaded into a process of the service by `node --expose-gc --import`: tells what it holds, after a garbage collection.

export interface Held {
  rss_bytes: number;
  heap_used_bytes: number;
  /** Buffers and what native code holds for JavaScript. */
  external_bytes: number;
  /** Timers, sockets and whatever else keeps the event loop busy. */
  resources: number;
}

process.on('message', () => {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  process.send!({ rss_bytes: rss, heap_used_bytes: heapUsed, external_bytes: external, resources } satisfies Held);
});
process.channel?.unref();
