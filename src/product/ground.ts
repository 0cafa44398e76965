/** What API and worker stand on: made once by each process, before either of them. */
import type { Registry } from 'prom-client';
import type { Config } from '../platform/config/config.ts';
import type { SilentConnection } from '../platform/connection/postgres-client.ts';
import type { Database } from '../platform/db/client.ts';
import type { WatchedStore } from '../platform/files/store/store-watch.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Tracer } from '../platform/observe/span.ts';
import type { Quotas } from './companies/quotas.ts';

/** How what was opened is closed; in the reverse order. */
export type Opened = (() => Promise<unknown>)[];

export interface Ground {
  config: Config;
  log: Logger;
  opened: Opened;
  db: Database;
  /** Of the database past a pooler. */
  directUrl: string;
  base_url: string;
  store: WatchedStore;
  mail: MailQueue;
  quotas: Quotas;
  registry: Registry;
  /** Told about database connections that are cut because they are silent. */
  onCut: (error: SilentConnection) => void;
  tracer: Tracer | undefined;
}
