/** Audit entries for files fetched by a link. Photos aren't recorded, because pages display them. */
import type { Tenant } from '../db/tenant.ts';
import { partsOfKey } from '../files/store/storage.ts';
import type { Origin } from './entry.ts';
import type { AuditRecorder } from './recorder.ts';

const recorded = new Set(['documents', 'exports', 'imports']);

/**
 * Records a download. Viewers fetch parts, so requests from one address and user agent within a minute become one entry.
 * @throws 503 when it can't be recorded
 */
export async function recordFetch(recorder: AuditRecorder, tenant: Tenant, key: string, origin: Origin): Promise<void> {
  const kind = partsOfKey(key)?.kind;
  if (!kind || !recorded.has(kind)) return;
  const { target, ...details } = await ownerOf(tenant, kind, key);
  const entry = { action: 'file.fetched', actor: { type: 'link' }, origin, target, details } as const;
  recorder.addOnce(tenant.company_id, entry, [key, origin.ip, origin.user_agent].join());
}

/** Details of an export: whether it includes other people's salaries, and its chosen fields, if any. */
export function exportDetails({ query, omitted }: { query: unknown; omitted: readonly string[] }) {
  const { fields } = query as { fields?: readonly string[] };
  const salaries = !omitted.includes('salary') && (!fields || fields.includes('salary'));
  return { salaries, ...(fields && { chosen_fields: fields }) };
}

/** The record that the file belongs to, if it still exists. */
async function ownerOf(tenant: Tenant, kind: string, key: string) {
  if (kind === 'documents') {
    const row = await tenant
      .selectFrom('documents')
      .select(['id', 'collaborator_id'])
      .where('key', '=', key)
      .executeTakeFirst();
    return row
      ? { target: { type: 'collaborator', id: row.collaborator_id }, document_id: row.id }
      : { target: undefined };
  }
  if (kind === 'exports') {
    const row = await tenant
      .selectFrom('exports')
      .select(['id', 'query', 'omitted', 'row_count'])
      .where('key', '=', key)
      .executeTakeFirst();
    if (!row) return { target: undefined };
    return { target: { type: 'export', id: row.id }, rows: row.row_count, ...exportDetails(row) };
  }
  const row = await tenant
    .selectFrom('imports')
    .select('id')
    .where((eb) => eb.or([eb('key', '=', key), eb('report_key', '=', key)]))
    .executeTakeFirst();
  return { target: row && { type: 'import', id: row.id } };
}
