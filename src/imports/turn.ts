/** One turn of a worker at the imports of a company: what it works with, and until when. */
import type { Postage } from '../collaborators/invite.ts';
import type { Database } from '../db/client.ts';
import type { Tenant } from '../db/tenant.ts';
import type { Storage } from '../files/storage.ts';
import type { Logger } from '../log.ts';
import type { SheetReader } from '../sheets/reader.ts';
import type { Tracer } from '../tracing/span.ts';

/** What carrying out an import needs. */
export interface Workshop {
  db: Database;
  storage: Storage;
  sheets: SheetReader;
  postage: Postage;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
  log: Logger;
}

export interface Turn extends Workshop {
  tenant: Tenant;
  stopping: AbortSignal;
  ends_at: number;
}

export function isOver({ stopping, ends_at }: Turn): boolean {
  return stopping.aborted || Date.now() > ends_at;
}

/** The turn is over before the import is. */
export class TurnOver extends Error {
  override name = 'TurnOver';
}
