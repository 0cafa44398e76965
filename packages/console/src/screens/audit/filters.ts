/** Audit log filters in the URL, named as in the contract. Empty filters are omitted. */
import { type AuditFilters, quietKinds } from '../../api/audit-filters.ts';

const outcomes = ['succeeded', 'refused'] as const;

export function readAuditFilters(search: Record<string, unknown>): AuditFilters {
  const text = <Name extends keyof AuditFilters>(name: Name) => {
    const value = search[name];
    return (typeof value === 'string' || typeof value === 'number') && value !== '' ? { [name]: String(value) } : {};
  };
  const moment = (name: 'since' | 'until') => (Number.isNaN(Date.parse(String(search[name]))) ? {} : text(name));
  const show = quietKinds.filter((kind) => String(search.show).split(',').includes(kind)).join();
  return {
    ...text('actor_collaborator_id'),
    ...text('actor_id'),
    ...text('target_id'),
    ...text('action'),
    ...text('changed_field'),
    ...(outcomes.includes(search.outcome as 'refused') && { outcome: search.outcome as 'refused' }),
    ...moment('since'),
    ...moment('until'),
    ...(show && { show }),
  };
}
