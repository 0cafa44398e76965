/** How many machines of a Citus cluster do not answer, where the database is one. */
import type pg from 'pg';

/** So that many who ask cost one look. */
const fresh_ms = 3_000;
/** Who has not answered by then is silent: its network drops what is sent, or its disk hangs. */
const patience_ms = 3_000;

interface Machines {
  /** @returns how many are lost: 0 for a database that is on one machine, and while the coordinator does not tell */
  lost(): Promise<number>;
  /** What the last look found, at once; when that was a while ago, another one begins. */
  lastLost(): number;
}

/** @param query asks the coordinator */
export function watchMachines(query: (sql: string) => Promise<pg.QueryResult>): Machines {
  let looked_ms = Number.NEGATIVE_INFINITY;
  let found = 0;
  let looking: Promise<number> = Promise.resolve(0);
  let is_looking = false;
  const look = async () => {
    is_looking = true;
    // The coordinator waits for all machines, and then does not say how many were silent: one at least.
    const silence = setTimeout(() => (found = Math.max(found, 1)), patience_ms).unref();
    found = await countLost(query).catch(() => (performance.now() - looked_ms < patience_ms ? 0 : Math.max(found, 1)));
    clearTimeout(silence);
    is_looking = false;
    return found;
  };
  const lost = () => {
    // One look at a time: each holds a connection until all machines have answered.
    if (!is_looking && performance.now() - looked_ms > fresh_ms) {
      looked_ms = performance.now();
      looking = look();
    }
    return is_looking && performance.now() - looked_ms > patience_ms ? Promise.resolve(found) : looking;
  };
  return {
    lost,
    lastLost() {
      void lost();
      return found;
    },
  };
}

async function countLost(query: (sql: string) => Promise<pg.QueryResult>): Promise<number> {
  const { rows: known } = await query(`select to_regproc('run_command_on_workers') is not null as is_cluster`);
  if (!known[0].is_cluster) return 0;
  const { rows } = await query(
    `select count(*)::int as lost from run_command_on_workers('select 1') where not success`,
  );
  return rows[0].lost;
}
