/**
 * Several hosts in a database URL, as in libpq, so that a failover needs no new configuration:
 *
 *     postgres://user:password@db-1,db-2:5433/database?target_session_attrs=read-write
 *
 * For each connection, hosts are probed in order, and the first that satisfies `target_session_attrs` is used
 * (https://www.postgresql.org/docs/current/libpq-connect.html). A host that doesn't respond quickly doesn't delay the others. The
 * result is cached briefly, for connections opened at about the same time.
 */
import { isIP, Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type pg from 'pg';
import { parametersOf, withParameters } from './parameters.ts';
import { PostgresClient } from './postgres-client.ts';

/** How long to wait for a host before also probing the next one. */
const headStartMs = 300;
const responseTimeoutMs = 5_000;
/** How long the result is cached, for connections opened together. */
const freshMs = 500;
const defaultPort = 5432;

const attributes = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

type Attribute = (typeof attributes)[number];

interface Host {
  host: string;
  port: number;
  /** The URL with only this host. */
  url: string;
}

/** The hosts of a URL, and the required session attribute. */
interface Choice {
  hosts: readonly [Host, ...Host[]];
  requiredAttribute: Attribute;
}

/** @returns undefined for a single host without a required attribute @throws when the URL is invalid */
export function choiceOf(url: string): Choice | undefined {
  const requiredAttribute = parametersOf(url).get('target_session_attrs') ?? 'any';
  if (!isAttribute(requiredAttribute)) throw new Error(`target_session_attrs must be one of ${attributes.join(', ')}`);
  const [, scheme, login = '', names, rest] = parts.exec(url) ?? [];
  const hosts = (names ?? '').split(',');
  if (hosts.length === 1 && requiredAttribute === 'any') return undefined;
  const singleHostUrl = (host: string) =>
    withParameters(`${scheme}${login}${host}${rest}`, { target_session_attrs: undefined });
  return {
    requiredAttribute,
    hosts: hosts.map((host) => ({ ...parseHost(host), url: singleHostUrl(host) })) as [Host, ...Host[]],
  };
}

const parts = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/is;

function isAttribute(text: string): text is Attribute {
  return attributes.includes(text as Attribute);
}

function parseHost(text: string): Omit<Host, 'url'> {
  const [, v6, name, port] = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined) throw new Error('each host must be a name or an address, with its port unless it is 5432');
  return { host: decodeURIComponent(host), port: port === undefined ? defaultPort : Number(port) };
}

/** Configuration that connects a client or pool to the chosen host. @param configOf the configuration for a URL with one host */
export function hostSelection(
  choice: Choice,
  configOf: (url: string) => pg.ClientConfig,
): Pick<pg.ClientConfig, 'stream'> {
  const finder = finderOf(choice, configOf);
  return { stream: () => new HostSelectingSocket(finder) };
}

/** Accepts a certificate for any of the hosts: the operator has named them all, and each may be the current one. */
export function identityCheckOf({ hosts }: Choice): (name: string, certificate: PeerCertificate) => Error | undefined {
  return (_, certificate) => {
    const errors = hosts.map(({ host }) => checkServerIdentity(host, certificate));
    return errors.some((error) => error === undefined) ? undefined : errors[0];
  };
}

/** A socket that connects to the host that the finder returns, whatever address it is given. */
class HostSelectingSocket extends Socket {
  readonly #finder: Finder;

  constructor(finder: Finder) {
    super();
    this.#finder = finder;
  }

  override connect(): this {
    this.#finder().then(
      ({ host, port }) => {
        if (this.destroyed) return; // the caller has given up
        if (host.startsWith('/')) super.connect(`${host}/.s.PGSQL.${port}`);
        else super.connect({ host, port, ...(isIP(host) === 0 && { autoSelectFamily: true }) });
      },
      (error) => this.destroy(error),
    );
    return this;
  }
}

type Finder = () => Promise<Host>;

/** By hosts, so that the pools of a process share the probes. */
const finders = new Map<string, Finder>();

function finderOf(choice: Choice, configOf: (url: string) => pg.ClientConfig): Finder {
  const key = JSON.stringify(choice);
  const known = finders.get(key);
  if (known) return known;
  let freshUntilMs = 0;
  let chosenHost: Promise<Host> | undefined;
  const finder = () => {
    if (chosenHost && performance.now() < freshUntilMs) return chosenHost;
    freshUntilMs = Number.POSITIVE_INFINITY; // while the probe is pending
    chosenHost = find(choice, configOf);
    chosenHost.then(
      () => {
        freshUntilMs = performance.now() + freshMs;
      },
      () => {
        chosenHost = undefined;
      },
    );
    return chosenHost;
  };
  finders.set(key, finder);
  return finder;
}

async function find({ hosts, requiredAttribute }: Choice, configOf: (url: string) => pg.ClientConfig): Promise<Host> {
  if (requiredAttribute !== 'prefer-standby')
    return first(hosts, (host) => probeHost(host, requiredAttribute, configOf));
  return first(hosts, (host) => probeHost(host, 'standby', configOf)).catch(() =>
    first(hosts, (host) => probeHost(host, 'any', configOf)),
  );
}

/** @returns the first host that qualifies; each is probed when the one before fails, or is slow */
async function first(hosts: readonly Host[], probe: (host: Host) => Promise<void>): Promise<Host> {
  let before: Promise<unknown> = Promise.resolve();
  let isFound = false;
  const attempts = hosts.map(async (host) => {
    const previous = before;
    const attempt = previous.then(() => (isFound ? Promise.reject(new Error('not asked')) : probe(host)));
    before = Promise.race([attempt.catch(() => {}), previous.then(headStart)]);
    await attempt;
    isFound = true;
    return host;
  });
  try {
    return await Promise.any(attempts);
  } catch (error) {
    const { errors } = error as AggregateError;
    throw Object.assign(new AggregateError(errors, `no host is usable: ${errors.map(textOf).join('; ')}`), {
      code: (errors[0] as NodeJS.ErrnoException).code,
    });
  }
}

function headStart(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, headStartMs).unref();
  });
}

function textOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || String(code);
}

/** SQLSTATE read_only_sql_transaction, which is handled as an outage. */
const readOnly = '25006';

/** @throws when the host is unreachable or lacks the attribute */
async function probeHost(
  host: Host,
  requiredAttribute: Attribute,
  configOf: (url: string) => pg.ClientConfig,
): Promise<void> {
  const timeouts = { connectionTimeoutMillis: responseTimeoutMs, socketTimeout: { limitMs: responseTimeoutMs } };
  const client = new PostgresClient({ ...configOf(host.url), ...timeouts });
  client.on('error', () => {}); // a lost connection also rejects the query
  try {
    await client.connect();
    if (requiredAttribute === 'any') return;
    const { rows } = await client.query<{ standby: boolean; writable: boolean }>(
      `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'off' as writable`,
    );
    const { standby, writable } = rows[0]!;
    const is = { 'read-write': writable, 'read-only': !writable, primary: !standby, standby, 'prefer-standby': true };
    if (!is[requiredAttribute])
      throw Object.assign(new Error(`${host.host}:${host.port} is not ${requiredAttribute}`), { code: readOnly });
  } finally {
    void client.end().catch(() => {});
  }
}
