/** Filters of the audit log, and the kinds of entries that it hides by default. */

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

/** Filtering by an action shows it even if its kind is hidden. @returns the value of `exclude`; empty for none */
export function hiddenKinds({ action, show = '' }: AuditFilters): string {
  return action ? '' : quietKinds.filter((kind) => !show.split(',').includes(kind)).join();
}
