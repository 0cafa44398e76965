/** Tells a company of connections that ended without it: in its events, and in its audit log what the operator ended. */
import { recordAudit } from '../../platform/audit/entry.ts';
import type { Database } from '../../platform/db/client.ts';
import { emitEach } from '../events/emit.ts';
import type { EndedConnections } from './end-connection.ts';

export async function tellEnded(db: Database, ended: EndedConnections): Promise<void> {
  const { company_id, client_id, app_name, reason, ended_by, ended_at, connections } = ended;
  await db.tenant(company_id).transaction(async (tx) => {
    const ids = connections.map(({ id }) => id);
    await tx.deleteFrom('connection_uses').where('connection_id', 'in', ids).execute();
    emitEach(
      tx,
      'connection.ended',
      connections.map((connection) => ({ ...connection, client_id, app_name, reason, ended_by, ended_at })),
    );
    if (reason !== 'operator') return; // the request of whoever deleted the app has an entry, in their company
    const target = { type: 'client', id: client_id };
    const details = { reason, connection_count: ids.length };
    recordAudit(tx, { action: 'connections.ended', actor: { type: 'operator' }, target, details });
  });
}
