// Preloaded into a service process with `node --expose-gc --import`: reports its memory and handles after a garbage collection.

export interface ResourceUsage {
  rssBytes: number;
  heapUsedBytes: number;
  /** Buffers and native memory held for JavaScript. */
  externalBytes: number;
  /** Timers, sockets, and other active handles. */
  resources: number;
}

process.on('message', () => {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  process.send!({ rssBytes: rss, heapUsedBytes: heapUsed, externalBytes: external, resources } satisfies ResourceUsage);
});
process.channel?.unref();
