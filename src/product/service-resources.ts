/** The shared resources of API and worker, created once per process before both. */
import type { Registry } from 'prom-client';
import type { Config } from '../platform/config/config.ts';
import type { SilentConnection } from '../platform/connection/postgres-client.ts';
import type { Database } from '../platform/db/client.ts';
import type { WatchedStore } from '../platform/files/store/store-watch.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Tracer } from '../platform/observe/span.ts';
import type { Quotas } from './companies/quotas.ts';

/** Close functions of opened resources; called in reverse order. */
export type Closers = (() => Promise<unknown>)[];

export interface ServiceResources {
  config: Config;
  log: Logger;
  opened: Closers;
  db: Database;
  /** The database without a pooler. */
  directUrl: string;
  base_url: string;
  store: WatchedStore;
  mail: MailQueue;
  quotas: Quotas;
  registry: Registry;
  onCut: (error: SilentConnection) => void;
  tracer: Tracer | undefined;
}
