// Preloaded into a server under test (`node --import`): monitors memory and event loop delay, and serves the figures on its own
// port. POST resets them; GET returns them.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const sampleMs = 5;

if (isMainThread) watch(); // worker threads load this file as well

function watch(): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let peakBytes = 0;
  const sample = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  setInterval(sample, sampleMs).unref();
  delay.enable();

  createServer((req, res) => {
    sample();
    const [p50Ms, p99Ms, maxMs] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) => ns / 1e6);
    res.end(
      JSON.stringify({ rssBytes: process.memoryUsage.rss(), peakBytes, p50_ms: p50Ms, p99_ms: p99Ms, max_ms: maxMs }),
    );
    if (req.method !== 'POST') return;
    peakBytes = 0;
    delay.reset();
  })
    .listen(Number(process.env.WATCH_PORT), '127.0.0.1')
    .unref();
}
