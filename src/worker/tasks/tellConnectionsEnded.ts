/** Notifies a company of connections that were ended elsewhere. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../platform/db/client.ts';
import type { EndedConnections } from '../../product/connections/end-connection.ts';
import { tellEnded } from '../../product/connections/tell-ended.ts';

export function tellConnectionsEnded(db: Database): Task {
  return (payload) => tellEnded(db, payload as EndedConnections);
}
