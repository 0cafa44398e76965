/** Sends an event to the local receiver, and retries until it responds. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyEvent } from '../service/responses.ts';
import { CliError } from '../terminal/failure.ts';
import { type DeliveryRequest, deliveryRequest } from './delivery.ts';

interface ForwardOptions {
  url: URL;
  secret: string;
  /** How long to retry while the receiver is down. */
  retryS: number;
  signal: AbortSignal;
  /** Called once, when the first attempt gets no response. */
  onWaiting(reason: string): void;
}

export interface Forwarded {
  status: number;
  duration_ms: number;
  attempts: number;
  body: string;
}

/** Longer than the service's timeout: the receiver may be paused in a debugger. */
const responseTimeoutMs = 60_000;
const firstWaitMs = 250;
const maxWaitMs = 5_000;

/**
 * Any HTTP status counts as delivered; only missing responses are retried.
 * @throws CliError when there is no response for `retryS`; the reason of the signal
 */
export async function forward(event: CompanyEvent, options: ForwardOptions): Promise<Forwarded> {
  const { url, secret, retryS, signal, onWaiting } = options;
  const startedAt = performance.now();
  for (let attempts = 1, waitMs = firstWaitMs; ; attempts++, waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    const request = deliveryRequest(event, secret, new Date());
    const start = performance.now();
    try {
      const status = await post(url, request, signal);
      return { status, duration_ms: Math.round(performance.now() - start), attempts, body: request.body };
    } catch (error) {
      signal.throwIfAborted();
      const reason = describeFailure(error as NodeJS.ErrnoException);
      if (attempts === 1) onWaiting(reason);
      if (performance.now() - startedAt + waitMs > retryS * 1000) {
        const attemptsText = attempts === 1 ? 'one attempt' : `${attempts} attempts`;
        throw new CliError(`${url.href} ${reason}: ${event.event} ${event.id} was abandoned after ${attemptsText}`);
      }
    }
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function post(url: URL, { headers, body }: DeliveryRequest, signal: AbortSignal): Promise<number> {
  const content = Buffer.from(body);
  const lines = [['Host', url.host], ...headers, ['Content-Length', String(content.length)]];
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      headers: lines.flat() as unknown as Record<string, string>, // a flat list keeps the order and the spelling
      signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]),
    });
    request.on('response', (response: IncomingMessage) => {
      response.on('end', () => resolve(response.statusCode!)).on('error', reject);
      response.resume();
    });
    request.on('error', reject);
    request.end(content);
  });
}

function describeFailure({ name, code, message }: NodeJS.ErrnoException): string {
  if (name === 'AbortError' || name === 'TimeoutError') return `did not respond within ${responseTimeoutMs / 1000} s`;
  return `is unreachable (${code ?? message})`;
}
