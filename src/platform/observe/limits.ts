/** Metrics of rate limits and the token cache, read from their own counters on each scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** @param counts rejections so far, by limit */
export function observeLimits(registry: Registry, counts: () => Record<string, number>): void {
  new Counter({
    name: 'rate_limited_total',
    help: 'Requests and attempts rejected, by rate limit.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [limit, refused] of Object.entries(counts())) this.inc({ limit }, refused);
    },
  });
}

/** Since the process started. */
export interface TokenCacheStats {
  entries: number;
  hits: number;
  /** Tokens verified, valid or not. */
  misses: number;
}

export function observeTokenCache(registry: Registry, figures: () => TokenCacheStats): void {
  const registers = [registry];
  new Gauge({
    name: 'token_cache_entries',
    help: 'Verified access tokens in the cache of this process.',
    registers,
    collect() {
      this.set(figures().entries);
    },
  });
  new Counter({
    name: 'token_verifications_total',
    help: 'Access token verifications, from the cache (hit) or not (miss).',
    labelNames: ['cache'],
    registers,
    collect() {
      const { hits, misses } = figures();
      this.reset();
      this.inc({ cache: 'hit' }, hits);
      this.inc({ cache: 'miss' }, misses);
    },
  });
}
