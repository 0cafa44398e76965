/**
 * The version of somebody's access: another one after each change of their memberships, their roles, a grant of theirs, the policy of a
 * company or what an app may do that this process hears of (`platform/notify/listen.ts`). What is remembered of a caller is remembered with the version it was found under,
 * and holds as long as it is the version: verified tokens (`identity/tokens/verify-token.ts`) and memberships (`identity/members/member.ts`).
 *
 * - It saves each request a signature to check (some 90 µs) and two queries.
 * - It costs a connection that listens, and a number for each user, grant, app and company that has changed. A change that was committed
 *   takes effect when it is heard, which is within a second.
 * - `TOKEN_CACHE_ENTRIES=0` switches it off: nothing is remembered of anybody.
 * - When it is wrong, `test/identity/access-version.test.ts` fails, and "a change of access" in `test/identity/verify.test.ts`.
 */
import type { AccessListener } from '../../platform/notify/listen.ts';

/** Users, grants, apps and companies that changed; with more than these, everybody has. */
const mostChanged = 10_000;

/** The last that was given out, to anybody: so no version means two things. */
let newest = 0;

/** Whose access it is, by which app and to what. */
interface AccessedBy {
  user_id: string;
  grant_id: string;
  client_id: string;
  company_ids: readonly string[];
}

export interface AccessVersions {
  /** @returns undefined while changes may have been missed: nothing that is remembered holds then */
  of(whose: AccessedBy): number | undefined;
  /** Grows with every change of anybody: what was asked before one may be old already when it is answered. */
  changes(): number;
  changed(whose: {
    user_id?: string | undefined;
    grant_id?: string | undefined;
    client_id?: string | undefined;
    company_id?: string | undefined;
  }): void;
  /** Everybody's: changes may have been missed, or a key that signs tokens is another. */
  allChanged(): void;
}

export function accessVersions(access: AccessListener): AccessVersions {
  const changed = new Map<string, number>();
  /** Of everybody else. */
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
      if (changed.size >= mostChanged) allChanged();
      changes += 1;
      for (const id of [userId, grantId, clientId, companyId]) if (id) changed.set(id, ++newest);
    },
    allChanged,
  };
  access.subscribe({ onChange: versions.changed, onKeys: allChanged, onGap: allChanged });
  return versions;
}
