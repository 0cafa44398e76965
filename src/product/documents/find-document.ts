/** Finds documents that the caller may see. */

import { notFound } from '../../contract/problem.ts';
import type { Member } from '../../identity/members/member.ts';
import { countRows } from '../../platform/db/count-rows.ts';
import { keyset } from '../../platform/db/keyset.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { hiddenTypes } from '../access/document-visibility.ts';
import { isId } from '../access/records.ts';
import { type DocumentRow, documentColumns } from './document-response.ts';

/** @throws 404, also for a document hidden from the caller */
export async function findDocument(
  tenant: Tenant,
  member: Member,
  collaboratorId: string,
  id: string,
): Promise<DocumentRow> {
  if (!isId(id)) throw notFound();
  const row = await visibleDocuments(tenant, member, collaboratorId)
    .select(documentColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function newestDocuments(
  tenant: Tenant,
  member: Member,
  collaboratorId: string,
  type: string | undefined,
  count: number,
  after: [uploadedAt: string, id: string] | undefined,
): Promise<{ rows: DocumentRow[]; total: number }> {
  const matching = visibleDocuments(tenant, member, collaboratorId).$if(type !== undefined, (query) =>
    query.where('type', '=', type!),
  );
  const rows = await matching
    .select(documentColumns)
    .$call(keyset(['uploaded_at', 'id'], 'desc', after))
    .limit(count)
    .execute();
  const total = await countRows(matching);
  return { rows, total };
}

/** Everything visible to this caller, for lists, counts, and single documents. */
function visibleDocuments(tenant: Tenant, member: Member, collaboratorId: string) {
  const hidden = hiddenTypes(member, collaboratorId);
  return tenant
    .selectFrom('documents')
    .where('collaborator_id', '=', collaboratorId)
    .where('deleted_at', 'is', null)
    .$if(hidden.length > 0, (query) => query.where('type', 'not in', hidden));
}
