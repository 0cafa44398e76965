/**
 * When, and from where, connections are used: written at most once a minute for each connection and company by each process,
 * and for many at once, so that requests stay fast. A crash loses the last of it.
 */
import { sql } from 'kysely';
import { isUnavailable } from '../../contract/problem.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { Logger } from '../../platform/observe/log.ts';

const pauseMs = 1_000;
const minuteMs = 60_000;
/** Of connections whose last minute is remembered. What is forgotten too early is written once more. */
const mostRemembered = 50_000;
const keptDays = 31;

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
    for (const [companyId, ofCompany] of Map.groupBy(uses, (use) => use.company_id)) {
      try {
        await writeUses(db.tenant(companyId), ofCompany);
      } catch (error) {
        // Nobody asked for this: it is not worth another try.
        if (!isUnavailable(error))
          log.error({ err: error, company_id: companyId }, 'uses of connections could not be written');
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
      if (minutes.size >= mostRemembered) minutes.clear();
      minutes.set(key, minute);
      waiting.set(key, { ...use, ip: addressOf(), at: new Date(minute * minuteMs).toISOString() });
      timer ??= setTimeout(() => void flush(), pauseMs).unref();
    },
    flush,
    close: flush,
  };
}

/** In the order of their ids, so that processes that write the same ones wait for each other instead of locking each other out. */
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

/** Addresses are kept no longer than a refresh token that nobody uses. @returns how many were removed */
export async function removeOldUses(tenant: Tenant): Promise<number> {
  const before = new Date(Date.now() - keptDays * 86_400_000).toISOString();
  const result = await tenant.deleteFrom('connection_uses').where('last_used_at', '<', before).executeTakeFirst();
  return Number(result.numDeletedRows);
}
