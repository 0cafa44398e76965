/**
 * Propagates changes of access, signing keys, and clients to all processes: the transaction of the change sends a NOTIFY, and
 * each process listens on a dedicated connection.
 *
 * A process that may have missed a notification must not trust its cache. So `connected` is a lease: it holds for `leaseMs` after
 * the last query that the server answered, and expires on its own when the connection hangs. Then the process only loses its
 * cache; it never accepts anything revoked more than `leaseMs` ago.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import type pg from 'pg';
import { PostgresClient } from '../connection/postgres-client.ts';
import { sessionTo } from '../connection/session.ts';

const channel = 'access_changed';
export const listenerName = 'collaborator-api-listener';
const defaultLeaseMs = 900;
const heartbeatMs = 300;
const responseTimeoutMs = 3_000;
const firstWaitMs = 50;
const maxWaitMs = 5_000;

/** Whose access changed; without any id, everyone's. */
interface AccessChange {
  user_id?: string;
  grant_id?: string;
  /** Everybody's access through this app. */
  client_id?: string;
  /** Everybody's access to a company. */
  company_id?: string;
  /** Only the keys that sign access tokens changed. */
  keys?: true;
  /** Only a client was added, changed, or removed. */
  clients?: true;
}

export interface AccessSubscriber {
  onChange(change: AccessChange): void;
  /** A signing key was added or retired. */
  onKeys?(): void;
  /** A client or its redirect URIs changed. */
  onClients?(): void;
  /** Notifications may have been missed: clear all caches. */
  onGap(): void;
}

export interface AccessListener {
  /** Whether every change committed at least `leaseMs` ago has been delivered. */
  readonly connected: boolean;
  /** Aborted when the listener is closed permanently. */
  readonly closed: AbortSignal;
  /** Resolves when it listens for the first time. */
  readonly ready: Promise<void>;
  subscribe(subscriber: AccessSubscriber): void;
  close(): Promise<void>;
}

interface ListenOptions {
  url: string;
  /** Name of the connection. */
  name?: string;
  /** Called when a connection is lost; it reconnects on its own. */
  onError?: (error: Error) => void;
  /** How long the lease lasts after a response from the server. */
  leaseMs?: number;
}

/** Listens until closed, reconnecting as needed. */
export function listenForAccessChanges({
  url,
  name,
  onError,
  leaseMs = defaultLeaseMs,
}: ListenOptions): AccessListener {
  const subscribers: AccessSubscriber[] = [];
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  let respondedMs = Number.NEGATIVE_INFINITY;
  let waitMs = firstWaitMs;

  const gap = () => {
    for (const subscriber of subscribers) subscriber.onGap();
  };
  const session = async () => {
    const client = await connectListener(
      url,
      (payload) => {
        const change = parse(payload);
        for (const subscriber of subscribers) dispatch(subscriber, change);
      },
      name,
    );
    try {
      await client.query(`listen ${channel}`);
      gap();
      waitMs = firstWaitMs;
      while (!stop.signal.aborted) {
        const sentMs = performance.now();
        await client.query('select 1');
        respondedMs = sentMs;
        ready.resolve();
        await sleep(heartbeatMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      }
    } finally {
      respondedMs = Number.NEGATIVE_INFINITY;
      gap();
      await client.end().catch(() => {});
    }
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      await session().catch((error: Error) => {
        if (!stop.signal.aborted) onError?.(error);
      });
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: stop.signal, ref: false }).catch(() => {});
      waitMs = Math.min(waitMs * 2, maxWaitMs);
    }
  };
  const running = run();
  return {
    get connected() {
      return performance.now() - respondedMs < leaseMs;
    },
    closed: stop.signal,
    ready: ready.promise,
    subscribe: (subscriber) => void subscribers.push(subscriber),
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Notifies other processes when the transaction of the changes commits. */
export async function notifyAccessChanged(tx: QueryExecutorProvider, ...changes: AccessChange[]): Promise<void> {
  if (changes.length === 0) return;
  const payloads = changes.map((change) => JSON.stringify(change));
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(tx);
}

/** A dedicated connection for notifications. */
export async function connectListener(
  url: string,
  onPayload: (payload: string) => void,
  name = listenerName,
): Promise<pg.Client> {
  const options = { connectionTimeoutMillis: responseTimeoutMs, socketTimeout: { limitMs: responseTimeoutMs } };
  // Its name wins over that of the URL: a restore recognizes a running service by it.
  const client = new PostgresClient({ ...sessionTo(url, options), application_name: name });
  client.on('error', () => {}); // a lost connection also rejects the next query, which reports it
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

function dispatch(subscriber: AccessSubscriber, change: AccessChange | undefined): void {
  if (!change) subscriber.onGap();
  else if (change.keys) subscriber.onKeys?.();
  else if (change.clients) subscriber.onClients?.();
  else subscriber.onChange(change);
}

function parse(payload: string): AccessChange | undefined {
  try {
    const {
      user_id: userId,
      grant_id: grantId,
      client_id: clientId,
      company_id: companyId,
      keys,
      clients,
    } = JSON.parse(payload);
    const isKnown = userId || grantId || clientId || companyId || keys === true || clients === true;
    return isKnown
      ? { user_id: userId, grant_id: grantId, client_id: clientId, company_id: companyId, keys, clients }
      : undefined;
  } catch {
    return undefined;
  }
}
