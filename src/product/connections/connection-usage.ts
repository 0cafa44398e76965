/**
 * Records the use of connections, at most once a minute per connection, company, and process, in batches. A crash loses the last
 * minute.
 */
import { sql } from 'kysely';
import { isUnavailable } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import { removeOlder } from '../../platform/db/remove-older.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Logger } from '../../platform/observe/log.ts';

const pauseMs = 1_000;
const minuteMs = 60_000;
/** Connections whose last minute is cached; evicted ones are written again. */
const maxCached = 50_000;
const retentionDays = 31;

interface Use {
  company_id: string;
  connection_id: string;
  user_id: string;
}

interface WrittenUse extends Use {
  ip: string | null;
  at: string;
}

export interface ConnectionUsageRecorder {
  /** @param addressOf called at most once a minute */
  add(use: Use, addressOf: () => string | null): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createUseRecorder({ db, log }: { db: Database; log: Logger }): ConnectionUsageRecorder {
  /** The minute of each connection's last write. */
  const minutes = new Map<string, number>();
  let pending = new Map<string, WrittenUse>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = async () => {
    const uses = [...pending.values()];
    pending = new Map();
    for (const [companyId, companyUses] of Map.groupBy(uses, (use) => use.company_id)) {
      try {
        await writeUses(db.tenant(companyId), companyUses);
      } catch (error) {
        // Best effort: not retried.
        if (!isUnavailable(error))
          log.error({ err: error, company_id: companyId }, 'connection usage could not be recorded');
      }
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  return {
    add(use, addressOf) {
      const key = `${use.company_id} ${use.connection_id}`;
      const minute = Math.floor(Date.now() / minuteMs);
      if (minutes.get(key) === minute) return;
      if (minutes.size >= maxCached) minutes.clear();
      minutes.set(key, minute);
      pending.set(key, { ...use, ip: addressOf(), at: new Date(minute * minuteMs).toISOString() });
      timer ??= setTimeout(() => void flush(), pauseMs).unref();
    },
    flush,
    close: flush,
  };
}

/** Sorted by id, so that concurrent processes don't deadlock. */
async function writeUses(tenant: Tenant, uses: readonly WrittenUse[]): Promise<void> {
  const rows = uses
    .map(({ connection_id: connectionId, user_id: userId, ip: lastIp, at: lastUsedAt }) => ({
      connection_id: connectionId,
      user_id: userId,
      last_ip: lastIp,
      last_used_at: lastUsedAt,
    }))
    .sort((a, b) => (a.connection_id < b.connection_id ? -1 : 1));
  await tenant
    .insertInto('connection_uses', rows)
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'connection_id']).doUpdateSet({
        last_used_at: sql<string>`excluded.last_used_at`,
        last_ip: sql<string | null>`excluded.last_ip`,
      }),
    )
    .execute();
}

/** Retains addresses no longer than an unused refresh token. @returns the number of removed rows */
export async function removeOldUses(tenant: Tenant): Promise<number> {
  const before = new Date(Date.now() - retentionDays * 86_400_000).toISOString();
  return removeOlder(tenant, 'connection_uses', 'last_used_at', before);
}
