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
  /** A field of people, such as `salary`. */
  changed_field?: string;
  outcome?: 'succeeded' | 'refused';
  /** Kinds that are left out unless they are named here, with commas between them. */
  show?: string;
  since?: string;
  until?: string;
}

/** Each view of a page with salaries, and each load of the console, leaves one. */
export const quietKinds = ['reads', 'sign_ins'] as const;

const pageSize = 100;

/** The newest first. Somebody who asks for an action sees it, whatever its kind. */
export async function auditPage(company: string, { show = '', ...filters }: AuditFilters, cursor?: string) {
  const left = filters.action ? [] : quietKinds.filter((kind) => !show.split(',').includes(kind));
  const exclude = left.join(',') || undefined;
  const params = { header: inCompany(company), query: { ...filters, exclude, limit: pageSize, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/audit', { params }));
  return { data, next: pagination.nextCursor ?? undefined };
}
