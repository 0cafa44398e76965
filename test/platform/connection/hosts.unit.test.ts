/** URLs with several hosts, as libpq reads them. */
import { choiceOf } from '../../../src/platform/connection/hosts.ts';

const hostsOf = (url: string) => choiceOf(url)?.hosts.map(({ host, port }) => `${host} ${port}`);

test('a URL with one host and no requirement has no alternatives', () => {
  for (const url of [
    'postgres://user:a,b@db-1/people',
    'postgres://db-1:5433/people?sslmode=require',
    'postgres://db-1/people?target_session_attrs=any',
    'postgresql://[::1]:5433/people',
    'postgres:///people?host=/run/postgresql',
  ])
    expect(choiceOf(url)).toBeUndefined();
});

test.each([
  ['postgres://user:secret@db-1,db-2/people', ['db-1 5432', 'db-2 5432']],
  ['postgres://user:p%40ss@db-1:5433,db-2:5434,db-3/people?sslmode=require', ['db-1 5433', 'db-2 5434', 'db-3 5432']],
  ['postgresql://[::1]:5433,10.0.0.2/people', ['::1 5433', '10.0.0.2 5432']],
  ['postgres://db-1/people?target_session_attrs=read-write', ['db-1 5432']],
])('parses the hosts of %s', (url, expected) => expect(hostsOf(url)).toEqual(expected));

test('each host gets the URL of a single host', () => {
  const url = 'postgres://user:p%40ss@db-1:5433,db-2/people?target_session_attrs=primary&sslmode=require';
  expect(choiceOf(url)).toEqual({
    requiredAttribute: 'primary',
    hosts: [
      { host: 'db-1', port: 5433, url: 'postgres://user:p%40ss@db-1:5433/people?sslmode=require' },
      { host: 'db-2', port: 5432, url: 'postgres://user:p%40ss@db-2/people?sslmode=require' },
    ],
  });
});

test.each([
  ['postgres://db-1,db-2/people?target_session_attrs=master', 'target_session_attrs must be one of'],
  ['postgres://db-1,,db-2/people', 'each host must be a name or an address'],
  ['postgres://db-1,db-2:x/people', 'each host must be a name or an address'],
])('rejects %s', (url, message) => expect(() => choiceOf(url)).toThrow(message));
