/** The company's audit log. */
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';

export type AuditEntry = Schemas['AuditEntry'];

export interface AuditFilters {
  actor_collaborator_id?: string;
  /** An actor without a record: an installation, or a former user. */
  actor_id?: string;
  target_id?: string;
  action?: string;
  /** A field of people, such as `salary`. */
  changed_field?: string;
  outcome?: 'succeeded' | 'refused';
  /** Comma-separated kinds to show that are hidden by default. */
  show?: string;
  since?: string;
  until?: string;
}

/** Every view of a page with salaries, and every load of the console, adds an entry of these kinds. */
export const quietKinds = ['reads', 'sign_ins'] as const;

const pageSize = 100;

/** Newest first. Filtering by an action shows it even if its kind is hidden. */
export async function auditPage(company: string, { show = '', ...filters }: AuditFilters, cursor?: string) {
  const left = filters.action ? [] : quietKinds.filter((kind) => !show.split(',').includes(kind));
  const exclude = left.join(',') || undefined;
  const params = { header: inCompany(company), query: { ...filters, exclude, limit: pageSize, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/audit', { params }));
  return { data, next: pagination.nextCursor ?? undefined };
}
