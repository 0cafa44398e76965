/** A worker's run over the imports of a company: dependencies and time limit. */

import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Storage } from '../../platform/files/store/storage.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Tracer } from '../../platform/observe/span.ts';
import type { SheetReader } from '../../platform/sheets/reader.ts';
import type { Quotas } from '../companies/quotas.ts';
import type { Postage } from '../invitations/send-invitation.ts';

export interface ImportTools {
  db: Database;
  storage: Storage;
  sheets: SheetReader;
  quotas: Quotas;
  postage: Postage;
  /** How long this worker may go without a heartbeat until another takes over. */
  leaseS: number;
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

/** The run ended before the import. */
export class RunOver extends Error {
  override name = 'RunOver';
}
