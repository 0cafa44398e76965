/** Converts between the audit log in the URL and a saved view, which names the kinds that are hidden. */
import { type AuditFilters, hiddenKinds, quietKinds } from '../../api/audit-filters.ts';
import type { NewSavedView, SavedView } from '../../api/saved-views.ts';
import { readAuditFilters } from './filters.ts';

export function toView(filters: AuditFilters): Omit<NewSavedView, 'name'> & { list: 'audit' } {
  const { show: _show, ...others } = filters;
  const exclude = hiddenKinds(filters);
  return { list: 'audit', filters: { ...others, ...(exclude && { exclude }) }, sort: null, columns: null };
}

export function fromView({ filters: { exclude = '', ...filters } }: SavedView): AuditFilters {
  const show = filters.action ? '' : quietKinds.filter((kind) => !exclude.split(',').includes(kind)).join();
  return readAuditFilters({ ...filters, show });
}

export function isActiveView(view: SavedView, filters: AuditFilters): boolean {
  const text = (of: AuditFilters) => JSON.stringify(toView(readAuditFilters({ ...of })));
  return text(fromView(view)) === text(filters);
}
