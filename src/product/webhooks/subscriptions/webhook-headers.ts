import type { Signatures } from './signatures.ts';

/** Connection headers in lower case, which custom headers can't replace. */
export const transportHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

interface HeaderOptions {
  event: string;
  event_id: string;
  idempotency_key: string | null;
  timestampS: number;
  signatures: Signatures;
  /** The subscription's own headers. They come last with their original spelling, and replace ours of the same name. */
  stored: Record<string, string>;
}

export type Header = readonly [name: string, value: string];

export function requestHeaders(options: HeaderOptions): Header[] {
  const { event, event_id: eventId, idempotency_key: idempotencyKey, timestampS } = options;
  const { hex, standard } = options.signatures;
  const serviceHeaders: Header[] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'Service-Webhook/1.0'],
    ['X-Webhook-Event', event],
    ['X-Webhook-Signature', hex],
    ['X-Webhook-Timestamp', String(timestampS)],
  ];
  if (idempotencyKey !== null) serviceHeaders.push(['X-Webhook-Idempotency-Key', idempotencyKey]);
  serviceHeaders.push(
    ['webhook-id', eventId],
    ['webhook-timestamp', String(timestampS)],
    ['webhook-signature', standard],
  );

  const stored = Object.entries(options.stored).filter(([name]) => !transportHeaders.has(name.toLowerCase()));
  if (stored.length === 0) return serviceHeaders;
  const replaced = new Set(stored.map(([name]) => name.toLowerCase()));
  return [...serviceHeaders.filter(([name]) => !replaced.has(name.toLowerCase())), ...stored];
}

/** Adds the connection headers that we set ourselves. @param length of the body, in bytes */
export function sentHeaders(url: URL, headers: readonly Header[], length: number): Header[] {
  return [['Host', url.host], ...headers, ['Content-Length', String(length)]];
}
