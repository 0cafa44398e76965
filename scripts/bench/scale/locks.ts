// Watches lock waits and statement durations of the service while something else runs.
import pg from 'pg';

const pauseMs = 50;

interface Locks {
  waiting: number;
  longest_ms: number;
}

export async function watchLocks(url: string): Promise<{ stop(): Promise<Locks> }> {
  const client = new pg.Client(url);
  await client.connect();
  const found: Locks = { waiting: 0, longest_ms: 0 };
  let ended = false;
  const watch = async () => {
    while (!ended) {
      const { rows } = await client.query<{ waiting: number; longest_ms: number | null }>(
        `select (select count(*)::int from pg_locks where not granted) as waiting,
           max(extract(epoch from clock_timestamp() - query_start) * 1000)::float8 as longest_ms
         from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()`,
      );
      found.waiting += rows[0]!.waiting;
      found.longest_ms = Math.max(found.longest_ms, rows[0]!.longest_ms ?? 0);
      await new Promise((done) => setTimeout(done, pauseMs));
    }
    await client.end();
  };
  const watching = watch();
  return {
    async stop() {
      ended = true;
      await watching;
      return found;
    },
  };
}
