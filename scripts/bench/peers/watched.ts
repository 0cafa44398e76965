// Loaded in front of a process under measurement (`node --import`): watches its memory and its event loop, and answers
// on a port of its own. POST begins anew; GET tells the figures since then.
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const sample_ms = 5;

if (isMainThread) watch(); // its threads load this file as well

function watch(): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let peak_bytes = 0;
  const sample = () => {
    peak_bytes = Math.max(peak_bytes, process.memoryUsage.rss());
  };
  setInterval(sample, sample_ms).unref();
  delay.enable();

  createServer((req, res) => {
    sample();
    const [p50_ms, p99_ms, max_ms] = [delay.percentile(50), delay.percentile(99), delay.max].map((ns) => ns / 1e6);
    res.end(JSON.stringify({ rss_bytes: process.memoryUsage.rss(), peak_bytes, p50_ms, p99_ms, max_ms }));
    if (req.method !== 'POST') return;
    peak_bytes = 0;
    delay.reset();
  })
    .listen(Number(process.env.WATCH_PORT), '127.0.0.1')
    .unref();
}
