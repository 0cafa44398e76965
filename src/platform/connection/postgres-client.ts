/**
 * The client behind every connection to Postgres: pg's, with a limit on how long the server may be silent while it owes an
 * answer. When a host, a network or an address is gone, an open connection is silent for good, and no limit of the server ends
 * that. A connection that passes its limit is cut: its socket is destroyed, whatever waits for it fails as an outage, and the
 * pool or lane opens another.
 *
 * | the server owes                             | longest silence        | then                                               |
 * | ------------------------------------------- | ---------------------- | -------------------------------------------------- |
 * | a new connection                            | its own limit, or 10 s | cut                                                |
 * | an answer, and limits statements by itself  | `limitMs`             | cut                                                |
 * | an answer that may take any time            | `limitMs`             | cut, unless another connection shows it at work    |
 * | an answer to a heartbeat, after a long idle | `heartbeatTimeoutMs` | cut                                                |
 * | the end of the connection                   | `goodbyeMs`           | cut                                                |
 *
 * - Silence is no byte received, so rows, COPY and pipelined answers may take as long as they move.
 * - It costs statements nothing: one timer for all connections of the process looks at each twice a second.
 * - When it is wrong, `test/platform/connection/socket-timeout.test.ts` fails, and `test/system/db/silent-database.test.ts`.
 */
import pg from 'pg';
import { bytesOf, cutOff, isBehind, type Owed, owedTo } from './library-internals.ts';

/** How often connections are looked at; one is cut up to two looks after its limit. */
const lookEveryMs = 500;
const connectMs = 10_000;
/** How long a connection is idle until it is asked whether it still works: those that listen may never be used. */
const heartbeatAfterMs = 10_000;
const heartbeatTimeoutMs = 5_000;
const goodbyeMs = 1_000;
/** How long the question about another connection may take. */
const inquiryMs = 5_000;

export interface SocketTimeout {
  /** The longest silence while an answer is owed. */
  limitMs: number;
  /** Whether the server lets statements take any time: then it is asked, on another connection, whether it is at work. */
  isUnlimited?: boolean;
  /** Told when bytes have come, within a look. */
  onBytes?: (() => void) | undefined;
  /** Told about each connection that is cut. */
  onCut?: ((error: SilentConnection) => void) | undefined;
}

export interface ClientConfig extends pg.ClientConfig {
  /** Default: a minute for statements that may take any time. */
  socketTimeout?: SocketTimeout | undefined;
}

/** What everything fails with that waits for a connection when it is cut. */
export class SilentConnection extends Error {
  override name = 'SilentConnection';
  /** As the system would tell it; nothing is known of the server. */
  readonly code = 'ETIMEDOUT';

  readonly owed: Owed;

  /** @param silentMs undefined where it is known by other means that no answer will come */
  constructor(owed: Owed, silentMs?: number) {
    const what = { connection: 'took no connection', answer: 'gave no answer', end: 'did not end a connection' }[owed];
    const forHowLong = silentMs === undefined ? '' : ` for ${(silentMs / 1_000).toFixed(1)} s`;
    super(`the database ${what}${forHowLong}: its connection was cut`);
    this.owed = owed;
  }
}

export const defaultTimeout: SocketTimeout = { limitMs: 60_000, isUnlimited: true };

export class PostgresClient extends pg.Client {
  readonly #config: ClientConfig;
  readonly #timeout: SocketTimeout;
  #owed: Owed | undefined;
  #bytes = 0;
  /** Since the last byte, or since something is owed. */
  #silentMs = 0;
  /** Since the last byte, or heartbeat. */
  #quietMs = 0;
  #isHeartbeat = false;
  #isInquiring = false;

  constructor(config: ClientConfig = {}) {
    super(changed(config, { connectionTimeoutMillis: 0 })); // pg would fail with an error that looks like a fault of ours
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

  /** @param elapsedMs since the last look */
  look(elapsedMs: number): void {
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
      if (this.#quietMs >= heartbeatAfterMs) this.#beat();
    } else if (this.#silentMs >= this.#limitOf(owed)) {
      if (isUnlimited && owed === 'answer' && !this.#isHeartbeat) void this.#inquire(owed);
      else this.#cut(owed);
    }
  }

  #limitOf(owed: Owed): number {
    const { limitMs } = this.#timeout;
    if (owed === 'connection') return this.#config.connectionTimeoutMillis || connectMs;
    if (owed === 'end') return goodbyeMs;
    return this.#isHeartbeat ? Math.min(heartbeatTimeoutMs, limitMs) : limitMs;
  }

  /** Not in a transaction with a limit on its pauses, which a heartbeat would hide. */
  #beat(): void {
    this.#quietMs = 0;
    if (this.getTransactionStatus() !== 'I' && !this.#timeout.isUnlimited) return;
    this.#isHeartbeat = true;
    const end = () => {
      this.#isHeartbeat = false;
    };
    this.query('select 1').then(end, end); // a transaction that has failed answers with an error
  }

  async #inquire(owed: Owed): Promise<void> {
    if (this.#isInquiring) return;
    this.#isInquiring = true;
    const working = await isAtWork(this, this.#config);
    this.#isInquiring = false;
    if (working) this.#silentMs = 0;
    else if (this.#silentMs > 0) this.#cut(owed); // it has said nothing meanwhile
  }

  #cut(owed: Owed): void {
    const error = new SilentConnection(owed, this.#silentMs);
    forget(this);
    cutOff(this, error);
    if (owed !== 'end') this.#timeout.onCut?.(error);
  }
}

/** All connections that are open, or being opened. */
const connections = new Set<PostgresClient>();
let timer: NodeJS.Timeout | undefined;
let lookedMs = 0;

function remember(client: PostgresClient): void {
  connections.add(client);
  if (timer) return;
  lookedMs = performance.now();
  timer = setInterval(lookAtAll, lookEveryMs).unref();
}

function forget(client: PostgresClient): void {
  connections.delete(client);
  if (connections.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function lookAtAll(): void {
  const nowMs = performance.now();
  // A process that stood still has answers waiting that it has not read yet.
  const elapsedMs = Math.min(nowMs - lookedMs, 2 * lookEveryMs);
  lookedMs = nowMs;
  for (const client of [...connections]) client.look(elapsedMs);
}

/** With what a pool hides of its configuration from copies: the password. */
function changed(config: ClientConfig, changes: ClientConfig): ClientConfig {
  return Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(config)), changes);
}

/** @returns whether the server has the connection and is busy with its statement; true when the server can't tell */
async function isAtWork(
  { processID }: PostgresClient & { processID?: number },
  config: ClientConfig,
): Promise<boolean> {
  const limits = { connectionTimeoutMillis: inquiryMs, socketTimeout: { limitMs: inquiryMs } };
  const other = new PostgresClient(changed(config, { ...limits, pipeline: false }));
  other.on('error', () => {}); // the question fails with it
  try {
    await other.connect();
    // One that waits for its client has given its answer, or never got the rest of the question.
    const { rows } = await other.query(
      `select 1 from pg_stat_activity where pid = $1 and state = 'active' and wait_event_type is distinct from 'Client'`,
      [processID],
    );
    return rows.length > 0;
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)); // the server refused: it has no place, or starts
  } finally {
    void other.end().catch(() => {});
  }
}
