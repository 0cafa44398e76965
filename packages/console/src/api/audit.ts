/** The company's audit log. */
import { type AuditFilters, hiddenKinds } from './audit-filters.ts';
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';

export type AuditEntry = Schemas['AuditEntry'];

const pageSize = 100;

/** Newest first. */
export async function auditPage(company: string, filters: AuditFilters, cursor?: string) {
  const { show: _show, ...others } = filters;
  const exclude = hiddenKinds(filters) || undefined;
  const params = { header: inCompany(company), query: { ...others, exclude, limit: pageSize, cursor } };
  const { data, pagination } = await bodyOf(api.GET('/v1/audit', { params }));
  return { data, next: pagination.nextCursor ?? undefined };
}
