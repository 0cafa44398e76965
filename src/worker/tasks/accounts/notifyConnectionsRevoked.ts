/** Notifies a company of connections that were ended elsewhere. */
import type { Task } from 'graphile-worker';
import type { Database } from '../../../platform/db/client.ts';
import type { EndedConnections } from '../../../product/connections/end-connection.ts';
import { notifyRevoked } from '../../../product/connections/notify-revoked.ts';

export function notifyConnectionsRevoked(db: Database): Task {
  return (payload) => notifyRevoked(db, payload as EndedConnections);
}
