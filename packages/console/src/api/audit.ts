/** The audit log of a company: who did what. */
import { api, bodyOf, inCompany, type Schemas } from './client.ts';

export type AuditEntry = Schemas['AuditEntry'];

/** What of the log is shown: the filters of `listAudit`, by their names. */
export interface AuditFilters {
  /** The record of who did it. */
  actor_collaborator_id?: string;
  /** Who did it and has no record: an installation, or a user of before. */
  actor_id?: string;
  target_id?: string;
  action?: string;
  outcome?: 'succeeded' | 'refused';
  since?: string;
  until?: string;
}

const pageSize = 100;

/** The newest first. */
export async function auditPage(company: string, filters: AuditFilters, cursor?: string) {
  const params = { header: inCompany(company), query: { ...filters, limit: pageSize, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/audit', { params }));
  return { data, next: pagination.nextCursor ?? undefined };
}
