/**
 * Tracks which machines of a Citus cluster are lost, and which companies they hold.
 *
 * A machine that is down refuses connections, so queries for its companies fail immediately. A silent one (its network drops
 * packets, its processes hang) makes queries wait, and a coordinator that cancels waits again for the silent machine to confirm.
 * So health checks open new connections, which have a timeout. Once a machine is lost, requests for its companies are rejected,
 * and pending queries are cut off.
 *
 * On a single Postgres this costs one query on the first connection.
 */
import type pg from 'pg';

/** Between checks, which are triggered by requests. */
const pauseMs = 3_000;
/** While a machine is lost and its companies wait for it. */
const pauseWhileLostMs = 1_000;
/** How long a machine may take to accept a connection. */
const connectingMs = 2_500;
/** A machine that accepts connections but doesn't respond for this long counts as silent; which one it is stays unknown. */
const silenceTimeoutMs = 4_000;
/** How long the list of affected companies is cached, because companies can move between machines. */
const companiesTtlMs = 30_000;

type Queryable = Pick<pg.ClientBase, 'query'>;

export interface Machines {
  /** Call with each new connection: detects a cluster, once. */
  meet(client: Queryable): Promise<void>;
  readonly is_cluster: boolean;
  /** The number of lost machines at the last check; starts another check if that was a while ago. */
  lost(): number;
  /** The same after a running check, waiting a few seconds at most. */
  recheck(): Promise<number>;
  /** Lost machines, as groups of `pg_dist_node`. */
  lostGroups(): readonly number[];
  /** @throws a retryable error if the company is on a lost machine */
  admit(companyId: string): void;
  isLost(companyId: string): boolean;
  /** @param listener called when another machine is lost. @returns a function that unsubscribes */
  onLoss(listener: () => void): () => void;
  close(): Promise<void>;
}

interface LostMachines {
  groups: readonly number[];
  companies: ReadonlySet<string>;
  readMs: number;
}

const none: LostMachines = { groups: [], companies: new Set(), readMs: 0 };

/** @param openProbe opens a pool of one connection to the coordinator, used only for checks */
export function watchMachines(openProbe: () => pg.Pool): Machines {
  let isCluster: boolean | undefined;
  let probe: pg.Pool | undefined;
  let lost = none;
  let isOneSilent = false;
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let checkedMs = Number.NEGATIVE_INFINITY;
  const listeners = new Set<() => void>();

  const check = async () => {
    probe ??= openProbe();
    const before = lost;
    lost = await findLost(probe, before);
    if (lost.groups.some((group) => !before.groups.includes(group))) for (const listener of [...listeners]) listener();
  };
  const begin = () => {
    timer = undefined;
    const silence = setTimeout(() => (isOneSilent = true), silenceTimeoutMs).unref();
    checking = check()
      .then(
        () => lost.groups.length > 0,
        () => true, // the coordinator doesn't respond, or a machine is only starting to fail
      )
      .then((mustRecheck) => {
        clearTimeout(silence);
        isOneSilent = false;
        checkedMs = performance.now();
        checking = undefined;
        if (mustRecheck) checkSoon();
      });
  };
  // Schedules a check in any case: the current request may be waiting for a machine that has become silent since the last one.
  const checkSoon = () => {
    if (!isCluster || checking || timer) return;
    const pause = lost.groups.length > 0 ? pauseWhileLostMs : pauseMs;
    const waitMs = checkedMs + pause - performance.now();
    if (waitMs <= 0) begin();
    else timer = setTimeout(begin, waitMs).unref();
  };
  const count = () => Math.max(lost.groups.length, Number(isOneSilent));
  const isLost = (companyId: string) => {
    if (!isCluster) return false;
    checkSoon();
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
      checkSoon();
      return count();
    },
    async recheck() {
      checkSoon();
      await Promise.race([checking, new Promise((resolve) => setTimeout(resolve, silenceTimeoutMs).unref())]);
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
      isCluster = false; // stops further checks
      clearTimeout(timer);
      await probe?.end();
    },
  };
}

/** The error of requests for a company whose machine is lost. */
class LostMachine extends Error {
  override name = 'LostMachine';
  /** SQLSTATE connection_failure, as from the database. */
  readonly code = '08006';

  constructor() {
    super('the cluster node of this company does not respond');
  }
}

async function hasMachines(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(`select to_regproc('run_command_on_workers') is not null as is_cluster`);
  return rows[0].is_cluster;
}

async function findLost(probe: pg.Pool, before: LostMachines): Promise<LostMachines> {
  // Statements sent together are one transaction, so the timeout applies only to it.
  const results = (await probe.query(`
    select set_config('citus.node_connection_timeout', '${connectingMs}', true);
    select groupid from pg_dist_node
      join run_command_on_workers('select 1') as response using (nodename, nodeport)
      where not response.success order by groupid`)) as unknown as pg.QueryResult<{ groupid: number }>[];
  const groups = results[1]!.rows.map(({ groupid }) => groupid);
  if (groups.length === 0) return none;
  const isSame = groups.join() === before.groups.join();
  if (isSame && performance.now() - before.readMs < companiesTtlMs) return before;
  const { rows } = await probe.query<{ id: string }>(
    `select id from companies where get_shard_id_for_distribution_column('collaborators', id) in
       (select shardid from pg_dist_placement where groupid = any($1))`,
    [groups],
  );
  return { groups, companies: new Set(rows.map(({ id }) => id)), readMs: performance.now() };
}
