/**
 * pg's client with a limit on how long the server may be silent while a response is due. When a host or network is gone, an open
 * connection stays silent forever, and no server-side timeout applies. A connection over its limit is cut: its socket is
 * destroyed, pending statements fail as an outage, and the pool or lane opens another.
 *
 * | the server owes                             | longest silence        | then                                               |
 * | ------------------------------------------- | ---------------------- | -------------------------------------------------- |
 * | a new connection                            | its own limit, or 10 s | cut                                                |
 * | a response, with a statement timeout        | `limitMs`              | cut                                                |
 * | a response, without a statement timeout     | `limitMs`              | cut, unless another connection shows it at work    |
 * | a response to a heartbeat, after a long idle | `heartbeatTimeoutMs`  | cut                                                |
 * | the end of the connection                   | `closeTimeoutMs`            | cut                                                |
 *
 * - Silence means no byte received, so rows, COPY, and pipelined responses may take as long as data keeps arriving.
 * - Costs statements nothing: one timer per process checks every connection twice a second.
 * - Tests: `test/platform/connection/socket-timeout.test.ts` and `test/system/db/silent-database.test.ts`.
 */
import pg from 'pg';
import { bytesOf, cutOff, isBehind, type Owed, owedTo } from './library-internals.ts';

/** How often connections are checked; one is cut up to two checks after its limit. */
const checkIntervalMs = 500;
const connectMs = 10_000;
/** How long a connection is idle before a heartbeat: listening connections may never be used otherwise. */
const heartbeatAfterMs = 10_000;
const heartbeatTimeoutMs = 5_000;
const closeTimeoutMs = 1_000;
/** How long the check on another connection may take. */
const busyCheckTimeoutMs = 5_000;

export interface SocketTimeout {
  /** The longest silence while a response is due. */
  limitMs: number;
  /** Whether statements have no timeout: then another connection asks whether the server is still working. */
  isUnlimited?: boolean;
  /** Called at the next check after bytes have arrived. */
  onBytes?: (() => void) | undefined;
  onCut?: ((error: SilentConnection) => void) | undefined;
}

export interface ClientConfig extends pg.ClientConfig {
  /** Default: one minute, without a statement timeout. */
  socketTimeout?: SocketTimeout | undefined;
}

/** The error of everything pending on a connection that is cut. */
export class SilentConnection extends Error {
  override name = 'SilentConnection';
  /** The system's code for a timeout: nothing is known of the server. */
  readonly code = 'ETIMEDOUT';

  readonly owed: Owed;

  /** @param silentMs undefined if the loss was detected otherwise */
  constructor(owed: Owed, silentMs?: number) {
    const description = {
      connection: 'accepted no connection',
      answer: 'did not respond',
      end: 'did not close a connection',
    }[owed];
    const duration = silentMs === undefined ? '' : ` for ${(silentMs / 1_000).toFixed(1)} s`;
    super(`the database ${description}${duration}; its connection was closed`);
    this.owed = owed;
  }
}

export const defaultTimeout: SocketTimeout = { limitMs: 60_000, isUnlimited: true };

export class PostgresClient extends pg.Client {
  readonly #config: ClientConfig;
  readonly #timeout: SocketTimeout;
  #owed: Owed | undefined;
  #bytes = 0;
  /** Since the last byte, or since the response became due. */
  #silentMs = 0;
  /** Since the last byte or heartbeat. */
  #quietMs = 0;
  #isHeartbeat = false;
  #isCheckingBusy = false;

  constructor(config: ClientConfig = {}) {
    super(changed(config, { connectionTimeoutMillis: 0 })); // pg's own timeout error looks like a programming error
    this.#config = config;
    this.#timeout = config.socketTimeout ?? defaultTimeout;
    this.once('end', () => forget(this));
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null, client?: this) => void): void;
  override connect(callback?: (error: Error | null, client?: this) => void): Promise<this> | undefined {
    remember(this);
    return (super.connect as (callback: unknown) => Promise<this> | undefined)(callback);
  }

  /** @param elapsedMs since the last check */
  check(elapsedMs: number): void {
    const { isUnlimited = false } = this.#timeout;
    const owed = owedTo(this);
    const bytes = bytesOf(this, isUnlimited);
    const hasMoved = bytes !== this.#bytes || isBehind(this);
    const isNew = owed !== this.#owed;
    if (bytes !== this.#bytes) this.#timeout.onBytes?.();
    this.#bytes = bytes;
    this.#owed = owed;
    this.#quietMs = hasMoved ? 0 : this.#quietMs + elapsedMs;
    this.#silentMs = hasMoved || isNew ? 0 : this.#silentMs + elapsedMs;
    if (!owed) {
      if (this.#quietMs >= heartbeatAfterMs) this.#sendHeartbeat();
    } else if (this.#silentMs >= this.#limitOf(owed)) {
      if (isUnlimited && owed === 'answer' && !this.#isHeartbeat) void this.#checkBusy(owed);
      else this.#cut(owed);
    }
  }

  #limitOf(owed: Owed): number {
    const { limitMs } = this.#timeout;
    if (owed === 'connection') return this.#config.connectionTimeoutMillis || connectMs;
    if (owed === 'end') return closeTimeoutMs;
    return this.#isHeartbeat ? Math.min(heartbeatTimeoutMs, limitMs) : limitMs;
  }

  /** Not in a transaction with an idle timeout, which a heartbeat would defeat. */
  #sendHeartbeat(): void {
    this.#quietMs = 0;
    if (this.getTransactionStatus() !== 'I' && !this.#timeout.isUnlimited) return;
    this.#isHeartbeat = true;
    const end = () => {
      this.#isHeartbeat = false;
    };
    this.query('select 1').then(end, end); // a failed transaction responds with an error
  }

  async #checkBusy(owed: Owed): Promise<void> {
    if (this.#isCheckingBusy) return;
    this.#isCheckingBusy = true;
    const isBusy = await isServerBusy(this, this.#config);
    this.#isCheckingBusy = false;
    if (isBusy) this.#silentMs = 0;
    else if (this.#silentMs > 0) this.#cut(owed); // still silent
  }

  #cut(owed: Owed): void {
    const error = new SilentConnection(owed, this.#silentMs);
    forget(this);
    cutOff(this, error);
    if (owed !== 'end') this.#timeout.onCut?.(error);
  }
}

const connections = new Set<PostgresClient>();
let timer: NodeJS.Timeout | undefined;
let checkedMs = 0;

function remember(client: PostgresClient): void {
  connections.add(client);
  if (timer) return;
  checkedMs = performance.now();
  timer = setInterval(checkAll, checkIntervalMs).unref();
}

function forget(client: PostgresClient): void {
  connections.delete(client);
  if (connections.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function checkAll(): void {
  const nowMs = performance.now();
  // After the process was blocked, responses may have arrived that it hasn't read yet.
  const elapsedMs = Math.min(nowMs - checkedMs, 2 * checkIntervalMs);
  checkedMs = nowMs;
  for (const client of [...connections]) client.check(elapsedMs);
}

/** Copies property descriptors, because a pool hides the password from plain copies. */
function changed(config: ClientConfig, changes: ClientConfig): ClientConfig {
  return Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(config)), changes);
}

/** @returns whether the server is busy with the connection's statement; true if the server can't say */
async function isServerBusy(
  { processID }: PostgresClient & { processID?: number },
  config: ClientConfig,
): Promise<boolean> {
  const limits = { connectionTimeoutMillis: busyCheckTimeoutMs, socketTimeout: { limitMs: busyCheckTimeoutMs } };
  const other = new PostgresClient(changed(config, { ...limits, pipeline: false }));
  other.on('error', () => {}); // the query rejects with it
  try {
    await other.connect();
    // A backend that waits for its client has already responded, or never got the rest of the statement.
    const { rows } = await other.query(
      `select 1 from pg_stat_activity where pid = $1 and state = 'active' and wait_event_type is distinct from 'Client'`,
      [processID],
    );
    return rows.length > 0;
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)); // the server refused: it is out of connections, or starting
  } finally {
    void other.end().catch(() => {});
  }
}
