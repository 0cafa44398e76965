/**
 * When, and from where, connections are used: written at most once a minute for each connection and company by each process,
 * and for many at once, so that requests stay fast. A crash loses the last of it.
 */
import { sql } from 'kysely';
import { isUnavailable } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Logger } from '../../platform/observe/log.ts';

const pause_ms = 1_000;
const minute_ms = 60_000;
/** Of connections whose last minute is remembered. What is forgotten too early is written once more. */
const most_remembered = 50_000;
const kept_days = 31;

interface Use {
  company_id: string;
  connection_id: string;
  user_id: string;
}

/** As it is written. */
interface WrittenUse extends Use {
  ip: string | null;
  at: string;
}

export interface UseRecorder {
  /** @param addressOf asked once in a minute, and not for each request */
  add(use: Use, addressOf: () => string | null): void;
  /** Writes what is gathered now. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createUseRecorder({ db, log }: { db: Database; log: Logger }): UseRecorder {
  /** The minute in which each was last written. */
  const minutes = new Map<string, number>();
  let waiting = new Map<string, WrittenUse>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = async () => {
    const uses = [...waiting.values()];
    waiting = new Map();
    for (const [company_id, of_company] of Map.groupBy(uses, (use) => use.company_id)) {
      try {
        await writeUses(db.tenant(company_id), of_company);
      } catch (error) {
        // Nobody asked for this: it is not worth another try.
        if (!isUnavailable(error)) log.error({ err: error, company_id }, 'uses of connections could not be written');
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
      const minute = Math.floor(Date.now() / minute_ms);
      if (minutes.get(key) === minute) return;
      if (minutes.size >= most_remembered) minutes.clear();
      minutes.set(key, minute);
      waiting.set(key, { ...use, ip: addressOf(), at: new Date(minute * minute_ms).toISOString() });
      timer ??= setTimeout(() => void flush(), pause_ms).unref();
    },
    flush,
    close: flush,
  };
}

/** In the order of their ids, so that processes that write the same ones wait for each other instead of locking each other out. */
async function writeUses(tenant: Tenant, uses: readonly WrittenUse[]): Promise<void> {
  const rows = uses
    .map(({ connection_id, user_id, ip: last_ip, at: last_used_at }) => ({
      connection_id,
      user_id,
      last_ip,
      last_used_at,
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

/** Addresses are kept no longer than a refresh token that nobody uses. @returns how many were removed */
export async function removeOldUses(tenant: Tenant): Promise<number> {
  const before = new Date(Date.now() - kept_days * 86_400_000).toISOString();
  const result = await tenant.deleteFrom('connection_uses').where('last_used_at', '<', before).executeTakeFirst();
  return Number(result.numDeletedRows);
}
