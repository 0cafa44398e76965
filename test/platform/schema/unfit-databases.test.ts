/** Unsuitable databases are rejected at startup, with every problem and its fix. */
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { prepareDatabase } from '../../../src/platform/schema/prepare.ts';

const limits = { statementTimeoutMs: 60_000 };
const prepare = (url: string, more: { ownerUrl?: string; directUrl?: string } = {}) =>
  prepareDatabase({ url, pooled: false, ...limits, ...more });

const undo: (() => Promise<unknown>)[] = [];
let server: pg.Client;
beforeAll(async () => {
  server = new pg.Client(process.env.TEST_POSTGRES_URL);
  await server.connect();
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});
afterAll(() => server.end());

/** @param how options of `create database` */
async function database(how = ''): Promise<{ name: string; url: string }> {
  const name = `unfit_${randomBytes(4).toString('hex')}`;
  await server.query(`create database ${name} ${how}`);
  undo.push(() => server.query(`drop database ${name} with (force)`));
  return { name, url: addressOf(name) };
}

function addressOf(name: string, login?: string): string {
  const url = new URL(process.env.TEST_POSTGRES_URL!);
  url.pathname = `/${name}`;
  if (login) [url.username, url.password] = [login, login];
  return url.href;
}

async function login(): Promise<string> {
  const name = `unfit_${randomBytes(4).toString('hex')}`;
  await server.query(`create role ${name} login password '${name}'`);
  undo.unshift(() => server.query(`drop role ${name}`)); // after the database in which it may own tables
  return name;
}

/** Runs in that database as a superuser. */
async function run(url: string, ...statements: string[]): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = to_regnamespace('public') and relkind = 'r' order by 1",
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

describe('kind of database', () => {
  test.each([
    [
      'LATIN1',
      "template template0 encoding 'LATIN1' locale_provider libc locale 'C'",
      /has the encoding LATIN1, which can't store most names/,
    ],
    [
      'SQL_ASCII',
      "template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'",
      /has the encoding SQL_ASCII, which can't store/,
    ],
    [
      'a locale without letters',
      "template template0 encoding 'UTF8' locale_provider libc locale 'C'",
      /has the locale C, which only knows English letters/,
    ],
  ])('rejects %s', async (_kind, how, expected) => {
    const { url } = await database(how);
    await expect(prepare(url)).rejects.toThrow(expected);
    expect(await run(url)).toEqual([]);
  });
});

describe('setup of the database', () => {
  test.each([
    [
      'no schema public',
      'drop schema public',
      /the schema public for the tables is missing: create schema public authorization \w+/,
    ],
    [
      'tables of another program',
      'create table users (id integer)',
      /has tables of another program \(users\): use a separate database/,
    ],
    [
      'migrations of another program',
      'create table schema_migrations (version text)',
      /tables of another program \(schema_migrations\)/,
    ],
    [
      'an extension elsewhere',
      'create schema extensions; create extension pg_trgm schema extensions',
      /pg_trgm is in the schema extensions: alter extension pg_trgm set schema public/,
    ],
  ])('rejects %s', async (_name, statements, expected) => {
    const { url } = await database();
    const before = await run(url, statements);
    await expect(prepare(url)).rejects.toThrow(expected);
    expect(await run(url)).toEqual(before);
  });

  test('rejects a read-only database', async () => {
    const { name, url } = await database();
    await server.query(`alter database ${name} set default_transaction_read_only = on`);
    await expect(prepare(url)).rejects.toThrow(/is read-only \(default_transaction_read_only is on\)/);
  });

  test('rejects disabled foreign key checks', async () => {
    const { name, url } = await database();
    await server.query(`alter database ${name} set session_replication_role = replica`);
    await expect(prepare(url)).rejects.toThrow(/session_replication_role is replica/);
  });
});

describe('privileges of the login', () => {
  test('missing ones are all reported at once, and nothing is created', async () => {
    const { name, url } = await database();
    const refused = prepare(addressOf(name, await login()));
    await expect(refused).rejects.toThrow(
      /^the database can't be used:\n- unfit_\w+ can't create tables in the schema public: grant create on schema public to unfit_\w+, or set DATABASE_OWNER_URL\n- .* can't create the schema of the queue: grant create on database unfit_\w+ to unfit_\w+\n- as a superuser: create extension pg_trgm schema public\n- as a superuser: create extension unaccent schema public$/,
    );
    expect(await run(url)).toEqual([]);
  });

  test('suffice at the minimum', async () => {
    const { name, url } = await database();
    const owner = await login();
    await run(url, `grant create on schema public to ${owner}; grant create on database ${name} to ${owner}`);
    await prepare(addressOf(name, owner));
    expect(await run(url)).toContain('collaborators');
  });

  test('don’t suffice for tables of another owner', async () => {
    const { name, url } = await database();
    await prepare(url);
    await expect(prepare(addressOf(name, await login()))).rejects.toThrow(
      /the tables belong to \w+, not to unfit_\w+: set DATABASE_OWNER_URL to the URL with that login/,
    );
  });
});

describe('database URL', () => {
  test.each(['options=-c%20search_path%3Dpeople%2Cpublic', 'schema=people'])(
    'rejects another schema: %s',
    async (parameters) => {
      const { url } = await database();
      await expect(prepare(`${url}?${parameters}`)).rejects.toThrow(
        /sets the schema people(,public)?, but the tables are in the schema public/,
      );
    },
  );

  test('a schema of the role, or the database’s search path, doesn’t matter', async () => {
    const { name, url } = await database();
    await run(url, 'create schema postgres; create schema people');
    await server.query(`alter database ${name} set search_path = people`);
    await prepare(url);
    expect(await run(url)).toContain('collaborators');
  });
});

describe('an undeclared pooler', () => {
  test('that rejects session options is detected', async () => {
    const refusal = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: options\0\0');
    const head = Buffer.from([0x45, 0, 0, 0, 0]);
    head.writeInt32BE(refusal.length + 4, 1);
    const pooler = await listening((socket) => socket.once('data', () => socket.end(Buffer.concat([head, refusal]))));
    await expect(prepare(`postgres://me@127.0.0.1:${portOf(pooler)}/x`)).rejects.toThrow(
      /^the database can't be used: its address belongs to a pooler \(unsupported startup parameter: options\): set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL/,
    );
  });

  test('that ignores session options is detected', async () => {
    const { url } = await database();
    const { hostname, port } = new URL(url);
    const pooler = await listening((socket) => {
      const upstream = connectTo(Number(port), hostname);
      socket.once('data', (startup) => {
        upstream.write(withoutOptions(startup));
        socket.pipe(upstream).pipe(socket);
      });
      for (const side of [socket, upstream]) side.on('error', () => {});
    });
    const through = Object.assign(new URL(url), { port: String(portOf(pooler)) }).href;
    await expect(prepare(through)).rejects.toThrow(
      /session settings do not reach Postgres \(.*search_path is "\$user", public.*\), which suggests a pooler: set DATABASE_POOLER=transaction/,
    );
    expect(await run(url)).toEqual([]);
  });
});

describe('a declared pooler', () => {
  const ready = async () => {
    const { name, url } = await database();
    const owner = await login();
    await run(url, `grant create on schema public to ${owner}; grant create on database ${name} to ${owner}`);
    return addressOf(name, owner);
  };
  /** Like a connection that the pooler opened before the role got its settings. */
  const lent = (directUrl: string, setting: string) => `${directUrl}?options=${encodeURIComponent(`-c ${setting}`)}`;

  test('is accepted if its connections have the role’s settings', async () => {
    const directUrl = await ready();
    const url = lent(directUrl, 'work_mem=8MB');
    expect(await prepareDatabase({ url, directUrl, pooled: true, ...limits })).toEqual({ url, directUrl });
  });

  test('is rejected if one has other settings', async () => {
    const directUrl = await ready();
    const url = lent(directUrl, 'bytea_output=escape');
    await expect(prepareDatabase({ url, directUrl, pooled: true, ...limits })).rejects.toThrow(
      /the pooler has connections from before the role's settings changed \(bytea_output is escape\): .*RECONNECT/,
    );
  });
});

async function listening(onConnect: (socket: Socket) => void): Promise<Server> {
  const pooler = createServer(onConnect);
  await new Promise<void>((done) => pooler.listen(0, '127.0.0.1', done));
  undo.push(() => new Promise((done) => pooler.close(done)));
  return pooler;
}

const portOf = (pooler: Server) => (pooler.address() as AddressInfo).port;

/** The startup message: length, version, and NUL-terminated names and values. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString('latin1').split('\0').slice(0, -2);
  const retained = words.flatMap((name, at) => (at % 2 === 0 && name !== 'options' ? [name, words[at + 1]!] : []));
  const body = Buffer.from(`${retained.join('\0')}\0\0`, 'latin1');
  const head = Buffer.alloc(8);
  head.writeInt32BE(body.length + 8, 0);
  startup.copy(head, 4, 4, 8);
  return Buffer.concat([head, body]);
}
