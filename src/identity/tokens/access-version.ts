/**
 * Versions for cache invalidation: a user's access version changes with each change of their memberships, roles, or grants, a
 * company's policy, or an app's permissions that this process is notified of (`platform/notify/listen.ts`). Verified tokens
 * (`identity/tokens/verify-token.ts`) and memberships (`identity/members/member.ts`) are cached with the version they were loaded
 * under, and are valid while it is current.
 * - Saves each request a signature check (about 90 µs) and two queries.
 * - Costs a listening connection, and a number for each changed user, grant, app, and company. Changes apply when the
 *   notification arrives, within a second.
 * - To switch it off: `TOKEN_CACHE_ENTRIES=0` disables the caches.
 * - Tests: `test/identity/access-version.test.ts`, and "a change of access" in `test/identity/verify.test.ts`.
 */
import type { AccessListener } from '../../platform/notify/listen.ts';

/** Changed users, grants, apps, and companies; beyond this number, everybody's version changes. */
const maxChanged = 10_000;

/** Global, so that no version is used twice. */
let newest = 0;

interface AccessedBy {
  user_id: string;
  grant_id: string;
  client_id: string;
  company_ids: readonly string[];
}

export interface AccessVersions {
  /** @returns undefined while notifications may be missed: then no cache entry is valid */
  of(subject: AccessedBy): number | undefined;
  /** Counts changes of any kind: a query that overlaps with one may have a stale result. */
  changes(): number;
  changed(subject: {
    user_id?: string | undefined;
    grant_id?: string | undefined;
    client_id?: string | undefined;
    company_id?: string | undefined;
  }): void;
  /** Notifications may have been missed, or the signing keys have changed. */
  allChanged(): void;
}

export function accessVersions(access: AccessListener): AccessVersions {
  const changed = new Map<string, number>();
  /** The version of everybody not in `changed`. */
  let others = ++newest;
  let changes = 0;
  const allChanged = () => {
    changes += 1;
    others = ++newest;
    changed.clear();
  };
  const versions: AccessVersions = {
    of({ user_id: userId, grant_id: grantId, client_id: clientId, company_ids: companyIds }) {
      if (!access.connected) return undefined;
      let version = others;
      for (const id of [userId, grantId, clientId, ...companyIds]) version = Math.max(version, changed.get(id) ?? 0);
      return version;
    },
    changes: () => changes,
    changed({ user_id: userId, grant_id: grantId, client_id: clientId, company_id: companyId }) {
      if (changed.size >= maxChanged) allChanged();
      changes += 1;
      for (const id of [userId, grantId, clientId, companyId]) if (id) changed.set(id, ++newest);
    },
    allChanged,
  };
  access.subscribe({ onChange: versions.changed, onKeys: allChanged, onGap: allChanged });
  return versions;
}
