/** `listen`: forwards events to a local receiver. Polls the API, so it needs no public address or subscription. */
import { setTimeout as sleep } from 'node:timers/promises';
import { explainNetworkError, ServiceUnavailable } from '../account/network-error.ts';
import { type Api, type ApiOptions, openApi } from '../service/api.ts';
import { toCliError } from '../service/api-error.ts';
import type { CompanyEvent, CursorPage, EventType } from '../service/responses.ts';
import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { note, type OutputOptions, printJson, printText } from '../terminal/output.ts';
import { checkPatterns, matchesAny } from './event-names.ts';
import { CursorRejected, createFeed, type ReadPage } from './feed.ts';
import { type Forwarded, forward } from './forward.ts';
import { signingSecret } from './secret.ts';

export interface ListenOptions extends ApiOptions, OutputOptions {
  forwardTo?: string;
  events?: string[];
  print?: boolean;
  /** RFC 3339. */
  since?: string;
  secret?: string;
  retryS: number;
}

const pollMs = 1_000;
const maxPauseMs = 15_000;

export async function listen(context: CliContext, options: ListenOptions): Promise<void> {
  const { events = [] } = options;
  const url = receiverUrl(options);
  if (options.since !== undefined && Number.isNaN(Date.parse(options.since))) {
    throw new CliError(`${options.since} is not a time such as 2026-03-01T00:00:00Z`, 2);
  }
  const secret = await signingSecret(context.environment, options.secret);
  const api = await openApi(context, options);
  let count = 0;
  try {
    await interruptible(async (signal) => {
      const { now, types } = await fetchTimeAndTypes(context, api, signal);
      checkPatterns(events, types);
      const since = options.since === undefined ? now : new Date(options.since).toISOString();
      if (url) note(`Requests are signed with ${secret}`);
      note(`Listening to ${api.base_url}${url ? ` for ${url.href}` : ''} since ${since}. Press Ctrl-C to stop.`);
      // The service filters a single pattern. Several are filtered here, to keep one ordered feed.
      const feed = createFeed(reader(context, api, signal), {
        since,
        pattern: events.length === 1 ? events[0] : undefined,
      });
      for (;;) {
        const found = await withRetry(api, () => feed.next(), signal);
        for (const event of found) {
          if (events.length === 0 || matchesAny(events, event.event)) {
            report(event, url && (await deliver(event, { url, secret, signal, options })), options);
            count += 1;
          }
          feed.acknowledge(event);
        }
        if (found.length === 0) await pause(pollMs, signal);
      }
    });
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode !== 130) throw error;
    note(`Stopped. Events: ${count}.`);
  }
}

/** @returns undefined when events are only printed */
function receiverUrl({ forwardTo, print }: ListenOptions): URL | undefined {
  if (forwardTo === undefined && !print) throw new CliError('pass --forward-to with a URL, or --print', 2);
  if (forwardTo === undefined) return undefined;
  const url = URL.canParse(forwardTo) ? new URL(forwardTo) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new CliError(`not an HTTP URL: ${forwardTo}`, 2);
  return url;
}

/** @returns the service's time, as clocks may differ, and the event types */
async function fetchTimeAndTypes(context: CliContext, api: Api, signal: AbortSignal) {
  const response = await api.send({ method: 'GET', path: '/v1/webhooks/event-types', signal });
  if (!response.ok) throw await toCliError(context, api.base_url, response);
  const { data } = (await response.json()) as { data: EventType[] };
  const date = Date.parse(response.headers.get('date') ?? '');
  return { types: data, now: new Date(Number.isNaN(date) ? Date.now() : date).toISOString() };
}

function reader(context: CliContext, api: Api, signal: AbortSignal): ReadPage {
  return async (query) => {
    const response = await api.send({ method: 'GET', path: `/v1/events?${query}`, signal });
    if (response.ok) return (await response.json()) as CursorPage<CompanyEvent>;
    if (response.status >= 500) throw new ServiceUnavailable(`${api.base_url} returned ${response.status}`);
    const failure = await toCliError(context, api.base_url, response);
    throw /\(invalid_cursor\b/.test(failure.message) ? new CursorRejected(failure.message) : failure;
  };
}

/** Retries until the call succeeds, for example across a restart of the service, and reports outage and recovery. */
async function withRetry<T>(api: Api, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let isUnavailable = false;
  for (let waitMs = pollMs; ; waitMs = Math.min(waitMs * 2, maxPauseMs)) {
    try {
      const result = await call();
      if (isUnavailable) note(`${api.base_url} responds again.`);
      return result;
    } catch (thrown) {
      signal.throwIfAborted();
      const error = explainNetworkError(api.base_url, thrown as Error, 0); // a response may also break off
      if (!(error instanceof ServiceUnavailable)) throw error;
      if (!isUnavailable) note(`${error.message} Waiting; no events are lost.`);
      isUnavailable = true;
      await pause(waitMs, signal);
    }
  }
}

interface DeliverOptions {
  url: URL;
  secret: string;
  signal: AbortSignal;
  options: ListenOptions;
}

/** @throws CliError that says how to resume later, when the receiver stays down */
async function deliver(event: CompanyEvent, { url, secret, signal, options }: DeliverOptions): Promise<Forwarded> {
  const onWaiting = (reason: string) => note(`${url.href} ${reason}; retrying for up to ${options.retryS} s.`);
  try {
    return await forward(event, { url, secret, retryS: options.retryS, signal, onWaiting });
  } catch (error) {
    if (!(error instanceof CliError) || signal.aborted) throw error;
    throw new CliError(`${error.message}. To resume there: --since ${event.timestamp}`);
  }
}

function report(
  { id, event, timestamp, data }: CompanyEvent,
  sent: Forwarded | undefined,
  options: ListenOptions,
): void {
  const body = sent ? JSON.parse(sent.body) : { event, timestamp, data };
  if (options.json) {
    const { status = null, duration_ms: durationMs = null, attempts = 0 } = sent ?? {};
    const record = { id, event, timestamp, status, duration_ms: durationMs, attempts, ...(options.print && { body }) };
    printJson(record);
    return;
  }
  const attemptText = sent && sent.attempts > 1 ? `, attempt ${sent.attempts}` : '';
  const outcome = sent ? `  ${sent.status} in ${sent.duration_ms} ms${attemptText}` : '';
  printText(`${timestamp}  ${event.padEnd(26)} ${id}${outcome}`);
  if (options.print) printJson(body, 2);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
