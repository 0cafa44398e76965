/**
 * Which machines of a Citus cluster do not answer, and which companies lie on them.
 *
 * A machine that is lost refuses connections, and who asks for its companies is told at once. One that is silent (its network
 * drops what is sent, its processes stand still) tells nothing: whatever was asked of it waits, and a coordinator that gives
 * up waits again, for the silent machine to confirm it. So a look by new connections, whose opening has a limit, finds them
 * out; from then on nothing is asked for the companies on them, and what was asked is cut off.
 *
 * On one Postgres all of it is one question of the first connection.
 */
import type pg from 'pg';

/** Between looks, which follow requests. */
const pauseMs = 3_000;
/** The same while a machine is lost: its companies wait for it. */
const pauseWhileLostMs = 1_000;
/** What a machine is given to take a connection. */
const connectingMs = 2_500;
/** Whoever takes connections, and then does not answer in so much time, is silent too; it is not told which one that is. */
const patienceMs = 4_000;
/** Companies are moved to other machines. */
const companiesKeptMs = 30_000;

type Queryable = Pick<pg.ClientBase, 'query'>;

export interface Machines {
  /** To be called with a new connection: asks whether there is a cluster, until that is known. */
  meet(client: Queryable): Promise<void>;
  readonly is_cluster: boolean;
  /** How many are lost, as the last look found; when that was a while ago, another one begins. */
  lost(): number;
  /** The same by a look that is under way, as far as it comes in a few seconds. */
  look(): Promise<number>;
  /** Those that are lost, by the groups of `pg_dist_node`. */
  lostGroups(): readonly number[];
  /** @throws what a client is told to come back after, when the company lies on a machine that is lost */
  admit(companyId: string): void;
  isLost(companyId: string): boolean;
  /** @param listener called when one is lost that was not. @returns what ends that */
  onLoss(listener: () => void): () => void;
  close(): Promise<void>;
}

interface Lost {
  groups: readonly number[];
  companies: ReadonlySet<string>;
  readMs: number;
}

const none: Lost = { groups: [], companies: new Set(), readMs: 0 };

/** @param openProbe a pool of one connection to the coordinator, for looks alone */
export function watchMachines(openProbe: () => pg.Pool): Machines {
  let isCluster: boolean | undefined;
  let probe: pg.Pool | undefined;
  let lost = none;
  let isOneSilent = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  const listeners = new Set<() => void>();

  const look = async () => {
    probe ??= openProbe();
    const before = lost;
    lost = await lostNow(probe, before);
    if (lost.groups.some((group) => !before.groups.includes(group))) for (const listener of [...listeners]) listener();
  };
  const begin = () => {
    timer = undefined;
    const silence = setTimeout(() => (isOneSilent = true), patienceMs).unref();
    looking = look()
      .then(
        () => lost.groups.length > 0,
        () => true, // the coordinator does not answer, or a machine only began to
      )
      .then((again) => {
        clearTimeout(silence);
        isOneSilent = false;
        lookedMs = performance.now();
        looking = undefined;
        if (again) lookSoon();
      });
  };
  // Soon in any case: who asks now may wait for a machine that has become silent since the last look.
  const lookSoon = () => {
    if (!isCluster || looking || timer) return;
    const pause = lost.groups.length > 0 ? pauseWhileLostMs : pauseMs;
    const waitMs = lookedMs + pause - performance.now();
    if (waitMs <= 0) begin();
    else timer = setTimeout(begin, waitMs).unref();
  };
  const count = () => Math.max(lost.groups.length, Number(isOneSilent));
  const isLost = (companyId: string) => {
    if (!isCluster) return false;
    lookSoon();
    return lost.companies.has(companyId);
  };
  return {
    get is_cluster() {
      return isCluster === true;
    },
    async meet(client) {
      isCluster ??= await hasMachines(client);
    },
    lost() {
      lookSoon();
      return count();
    },
    async look() {
      lookSoon();
      await Promise.race([looking, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
      return count();
    },
    lostGroups: () => lost.groups,
    isLost,
    admit(companyId) {
      if (isLost(companyId)) throw new LostMachine();
    },
    onLoss(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isCluster = false; // nothing more is looked for
      clearTimeout(timer);
      await probe?.end();
    },
  };
}

/** What a company's request is refused with while its machine is lost. */
class LostMachine extends Error {
  override name = 'LostMachine';
  /** connection_failure, as the database would tell it. */
  readonly code = '08006';

  constructor() {
    super('the machine of the cluster that has this company does not answer');
  }
}

async function hasMachines(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`select to_regproc('run_command_on_workers') is not null as is_cluster`);
  return rows[0].is_cluster;
}

async function lostNow(probe: pg.Pool, before: Lost): Promise<Lost> {
  // Statements that are sent together are one transaction, so that the limit is of this one alone.
  const results = (await probe.query(`
    select set_config('citus.node_connection_timeout', '${connectingMs}', true);
    select groupid from pg_dist_node
      join run_command_on_workers('select 1') as answer using (nodename, nodeport)
      where not answer.success order by groupid`)) as unknown as pg.QueryResult<{ groupid: number }>[];
  const groups = results[1]!.rows.map(({ groupid }) => groupid);
  if (groups.length === 0) return none;
  const isSame = groups.join() === before.groups.join();
  if (isSame && performance.now() - before.readMs < companiesKeptMs) return before;
  const { rows } = await probe.query<{ id: string }>(
    `select id from companies where get_shard_id_for_distribution_column('collaborators', id) in
       (select shardid from pg_dist_placement where groupid = any($1))`,
    [groups],
  );
  return { groups, companies: new Set(rows.map(({ id }) => id)), readMs: performance.now() };
}
