/** One run of a worker on the imports of a company: what it works with, and its time limit. */

import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Storage } from '../../platform/files/store/storage.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import type { SheetReader } from '../../platform/sheets/reader.ts';
import type { Quotas } from '../companies/quotas.ts';
import type { Postage } from '../invitations/send-invitation.ts';

/** What carrying out an import needs. */
export interface ImportTools {
  db: Database;
  storage: Storage;
  sheets: SheetReader;
  quotas: Quotas;
  postage: Postage;
  /** How long this worker may give no sign of life until another goes on with its import. */
  leaseS: number;
  /** Undefined where no traces are kept. */
  tracer: Tracer | undefined;
  log: Logger;
}

export interface ImportRun extends ImportTools {
  tenant: Tenant;
  stopping: AbortSignal;
  endsAt: number;
}

export function isOver({ stopping, endsAt }: ImportRun): boolean {
  return stopping.aborted || Date.now() > endsAt;
}

/** The run is over before the import is. */
export class RunOver extends Error {
  override name = 'RunOver';
}
