/** Database URLs as pg interprets them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { addressProblem, connectionTo } from '../../../src/platform/connection/address.ts';
import { sessionTo } from '../../../src/platform/connection/session.ts';
import { actingAs } from '../../../src/platform/schema/privileges.ts';

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'address-'));
  for (const name of ['ca', 'cert', 'key']) await writeFile(file(name), name);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const clientOf = (url: string) => new pg.Client(connectionTo(url, {}));

describe('names, passwords, and hosts', () => {
  test.each([
    [
      'postgres://me:pw@db.example:5433/people',
      { user: 'me', password: 'pw', host: 'db.example', port: 5433, database: 'people' },
    ],
    ['postgresql://me@db/people', { user: 'me', host: 'db', port: 5432, database: 'people' }],
    ['postgres://me:p%40ss%2Fw%3Fo%23r%25d%20%C3%A9@db/people', { password: 'p@ss/w?o#r%d é' }],
    ['postgres://m%40e:pw@db/my%20people%22', { user: 'm@e', database: 'my people"' }],
    ['postgres://me:pw@db/a%2Fb%3Fc%23d%25e', { host: 'db', database: 'a/b?c#d%e' }],
    ['postgres://me:pw@db', { host: 'db', database: 'me' }],
    ['postgres://me:pw@[::1]:5433/people', { host: '::1', port: 5433 }],
    ['postgres://me:pw@/people?host=/run/postgresql&port=5433', { host: '/run/postgresql', port: 5433, user: 'me' }],
    ['postgres:///people?host=/run/postgresql&user=me', { host: '/run/postgresql', user: 'me', database: 'people' }],
    ['postgres://me:pw@%2Frun%2Fpostgresql/people', { host: '/run/postgresql', database: 'people' }],
  ])('parses %s', (url, expected) => {
    expect(clientOf(url)).toMatchObject(expected);
    expect(addressProblem(url)).toBeUndefined();
  });

  test('a URL for a role keeps all the rest, and sets the role last', () => {
    const url = 'postgres://me:p%2Fw@/people?host=/run/postgresql&options=-c%20work_mem%3D8MB&sslmode=disable';
    const { options, ...rest } = connectionTo(actingAs(url, 'other'), {});
    expect(options).toBe('-c work_mem=8MB -c role=other');
    expect(rest).toEqual({ ...connectionTo(url, {}), options: undefined, ssl: false });
  });

  test('keeps an operator’s session options, except those that affect results', () => {
    const { options } = sessionTo('postgres://db/x?options=-c%20work_mem%3D8MB%20-c%20datestyle%3DGerman', {});
    expect(options).toMatch(/^-c work_mem=8MB -c datestyle=German -c .*-c DateStyle=ISO,\\ MDY /);
  });
});

describe('encryption', () => {
  const of = (query: string, host = 'db') => connectionTo(`postgres://me:pw@${host}/x?${query}`, {}).ssl;

  test('follows sslmode, and require verifies like verify-full', () => {
    expect(of('')).toBeUndefined();
    expect(of('sslmode=disable')).toBe(false);
    expect(of('sslmode=require')).toEqual({ host: 'db' });
    expect(of('sslmode=require&uselibpqcompat=true')).toEqual({ host: 'db' });
    expect(of('sslmode=verify-full&sslrootcert=system')).toEqual({ host: 'db' });
    expect(of('sslmode=no-verify')).toEqual({ host: 'db', rejectUnauthorized: false });
    expect(of(`sslmode=require&sslrootcert=${file('ca')}`)).toEqual({ host: 'db', ca: 'ca' });
    expect(of(`sslrootcert=${file('ca')}`)).toEqual({ host: 'db', ca: 'ca' });
    expect(of(`sslmode=require&sslrootcert=${file('ca')}`, '127.0.0.1')).toEqual({ host: '127.0.0.1', ca: 'ca' });
    const { checkServerIdentity, ...chain } = of(`sslmode=verify-ca&sslrootcert=${file('ca')}`) as {
      checkServerIdentity?: unknown;
    };
    expect(chain).toEqual({ host: 'db', ca: 'ca' });
    expect(checkServerIdentity).toBeDefined();
  });

  test('supports a client certificate with an encrypted key', () => {
    const ssl = of(`sslmode=verify-full&sslcert=${file('cert')}&sslkey=${file('key')}&sslpassword=a%20b`);
    expect(ssl).toEqual({ host: 'db', cert: 'cert', key: 'key', passphrase: 'a b' });
  });

  test('is off on a local socket, as in libpq', () => {
    expect(connectionTo('postgres://me@/x?host=/run&sslmode=require', {}).ssl).toBe(false);
  });
});

test.each([
  ['postgres://me:secret@db/x?sslmode=prefer', /^sslmode=prefer allows unencrypted connections: use disable, require/],
  ['postgres://me:secret@db/x?sslmode=maybe', /^sslmode must be one of disable, no-verify, require, /],
  ['postgres://me:secret@db/x?sslmode=verify-ca', /^sslmode=verify-ca requires sslrootcert/],
  ['postgres://me:secret@db/x?sslcert=a', /^sslcert and sslkey belong together/],
  ['postgres://me:secret@db/x?sslrootcert=/nowhere/ca.pem', /^sslrootcert: ENOENT: .*\/nowhere\/ca\.pem/],
  ['postgres://me:sec/ret@db:port/x', /^is not a URL: percent-encode special characters/],
])('rejects %s', (url, expected) => {
  const problem = addressProblem(url);
  expect(problem).toMatch(expected);
  expect(problem).not.toMatch(/sec/);
});
