/** Notifies a company of connections that ended elsewhere. Ids come from the job, so a repeated job writes nothing twice. */
import { recordAuditRows } from '../../platform/audit/entry.ts';
import { isBroken } from '../../platform/db/broken-constraint.ts';
import type { Database } from '../../platform/db/client.ts';
import { emitEach } from '../events/emit.ts';
import { type EndedConnections, entryOf } from './end-connection.ts';

export async function notifyRevoked(db: Database, ended: EndedConnections): Promise<void> {
  const {
    company_id: companyId,
    client_id: clientId,
    app_name: appName,
    reason,
    ended_by: endedBy,
    ended_at: endedAt,
    connections,
    entry,
  } = ended;
  const ids = connections.map(({ id }) => id);
  try {
    await db.tenant(companyId).transaction(async (tx) => {
      await tx.deleteFrom('connection_uses').where('connection_id', 'in', ids).execute();
      emitEach(
        tx,
        'connection.ended',
        connections.map(({ id, allowed_by: allowedBy }) => ({
          id,
          allowed_by: allowedBy,
          client_id: clientId,
          app_name: appName,
          reason,
          ended_by: endedBy,
          ended_at: endedAt,
        })),
        connections.map(({ event_id: eventId }) => eventId),
      );
      if (reason === 'operator') recordAuditRows(tx, [entry ?? entryOf({ client_id: clientId, reason }, ids.length)]);
    });
  } catch (error) {
    if (!isBroken(error, 'events_pkey')) throw error; // otherwise everything is already written
  }
}
