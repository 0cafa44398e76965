/** Exports audit log entries to a file. */
import { type AuditEntry, auditPage } from '../../api/audit.ts';
import type { AuditFilters } from '../../api/audit-filters.ts';
import { ApiError } from '../../api/client/client.ts';

export type FileForm = 'csv' | 'json';

/**
 * Reads all matching entries, newest first. Waits when rate limited.
 * @param onCount receives the number read so far
 * @returns undefined when canceled
 * @throws ApiError
 */
export async function entriesOf(
  company: string,
  filters: AuditFilters,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<AuditEntry[] | undefined> {
  const entries: AuditEntry[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    if (signal.aborted) return undefined;
    try {
      const page: { data: AuditEntry[]; next: string | undefined } = await auditPage(
        company,
        filters,
        cursor || undefined,
      );
      entries.push(...page.data);
      onCount(entries.length);
      cursor = page.next;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      const waitMs = (error.retry_after_s ?? 1) * 1_000;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return signal.aborted ? undefined : entries;
}

/** One CSV row per entry. Escapes formulas: values such as client names are untrusted. */
export async function fileOf(entries: readonly AuditEntry[], form: FileForm): Promise<Blob> {
  if (form === 'json') return new Blob([JSON.stringify(entries, null, 2)], { type: 'application/json' });
  const { stringify } = await import('csv-stringify/browser/esm/sync');
  const rows = entries.map(rowOf);
  const text = stringify(rows, { header: true, bom: true, escape_formulas: true, record_delimiter: 'windows' });
  return new Blob([text], { type: 'text/csv' });
}

function rowOf({
  id,
  at,
  action,
  outcome,
  actor,
  target,
  ip,
  user_agent: userAgent,
  request_id: requestId,
  details,
}: AuditEntry) {
  return {
    at,
    action,
    outcome,
    actor_type: actor.type,
    actor_name: actor.name,
    actor_email: actor.email,
    actor_user_id: actor.user_id,
    actor_collaborator_id: actor.collaborator_id,
    client_id: actor.client_id,
    client_name: actor.client_name,
    installed_by: actor.installed_by_name ?? actor.installed_by,
    target_type: target?.type,
    target_id: target?.id,
    target_name: target?.name,
    ip,
    user_agent: userAgent,
    request_id: requestId,
    details: Object.keys(details).length > 0 ? JSON.stringify(details) : '',
    id,
  };
}
