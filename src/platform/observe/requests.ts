/** Request metrics by operation. Paths aren't labels: they contain ids, and clients could create any number of them. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface RequestMeter {
  started(): void;
  /** @param operation of the contract, or from `groupOf` @param status 499 if the client disconnected before the response */
  ended(operation: string, method: string, status: number, durationMs: number): void;
  /** An error response. @param code the contract's `ErrorCode` */
  failed(code: string): void;
  /** A response that violates the contract. */
  breached(operation: string): void;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createRequestMeter(registry: Registry): RequestMeter {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Finished requests, by operation, method, and status; 499 if the client disconnected.',
    labelNames: ['operation', 'method', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of a request, from its headers to the last byte of the response.',
    labelNames: ['operation', 'method'],
    buckets: seconds,
    registers,
  });
  const errors = new Counter({
    name: 'http_errors_total',
    help: 'Error responses, by error code.',
    labelNames: ['code'],
    registers,
  });
  const breaches = new Counter({
    name: 'contract_breaches_total',
    help: 'Responses that the contract does not declare. In production, one success in a hundred is checked.',
    labelNames: ['operation'],
    registers,
  });
  let underWay = 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(underWay);
    },
  });
  return {
    started() {
      underWay++;
    },
    ended(operation, anyMethod, status, durationMs) {
      underWay--;
      const method = methods.has(anyMethod) ? anyMethod : 'other';
      requests.inc({ operation, method, status });
      duration.observe({ operation, method }, durationMs / 1_000);
    },
    failed: (code) => errors.inc({ code }),
    breached: (operation) => breaches.inc({ operation }),
  };
}

/** Groups the paths outside the contract. */
export function groupOf(path: string): string {
  if (path === '/healthz' || path === '/readyz') return 'health';
  if (path.startsWith('/oauth/') || path.startsWith('/.well-known/')) return 'oauth';
  if (path.startsWith('/files/')) return 'files';
  if (path.startsWith('/scim/')) return 'scim';
  if (/^\/(docs(\/|$)|openapi|llms)/.test(path)) return 'docs';
  return 'unknown';
}
