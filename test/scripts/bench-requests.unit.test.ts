/** The requests of `make bench NAME=requests`: the same for every server, varied, half of them as managers. */
import type { Caller } from '../../scripts/bench/harness/callers.ts';
import { sequenceOf } from '../../scripts/bench/requests.ts';

const caller = (name: string, role: Caller['role'], count: number): Caller => ({
  email: `${name}@example.com`,
  role,
  headers: { authorization: name },
  people: Array.from({ length: count }, (_, n) => ({
    id: `${name}-${n}`,
    name: `Ana Silva Rare${n}`,
    email: `p${n}@example.com`,
  })),
});
const callers = [caller('admin', 'admin', 10_000), caller('large', 'manager', 1_000), caller('small', 'manager', 10)];

const requestsFor = (operation: string, count: number, round = 0) => {
  const next = sequenceOf(operation, callers, round);
  return Array.from({ length: count }, next);
};
const share = (of: readonly unknown[], all: readonly unknown[]) => of.length / all.length;

it('every server gets the same requests in a round, and other ones in the next', () => {
  expect(requestsFor('listCollaborators, searched', 500)).toEqual(requestsFor('listCollaborators, searched', 500));
  expect(requestsFor('listCollaborators, searched', 500, 1)).not.toEqual(
    requestsFor('listCollaborators, searched', 500),
  );
});

it('requests some people often, most seldom, and only those within the caller’s reach', () => {
  const requests = requestsFor('getCollaborator', 20_000);
  for (const { path, headers } of requests) expect(path).toContain(`/${headers.authorization}-`);
  const ofAdmin = requests.filter(({ headers }) => headers.authorization === 'admin').map(({ path }) => path);
  expect(share(ofAdmin, requests)).toBeCloseTo(0.5, 1);
  const hot = ofAdmin.filter((path) => Number(path.split('-').at(-1)) < 100);
  expect(share(hot, ofAdmin)).toBeCloseTo(0.3, 1);
  expect(new Set(ofAdmin).size).toBeGreaterThan(2_000);
});

it('requests all pages that a caller has', () => {
  const pages = requestsFor('listCollaborators', 20_000).map(({ path, headers }) => {
    return [headers.authorization, Number(new URLSearchParams(path.split('?')[1]).get('page'))] as const;
  });
  const last = (name: string) => Math.max(...pages.filter(([of]) => of === name).map(([, page]) => page));
  expect([last('admin'), last('large'), last('small')]).toEqual([500, 50, 1]);
});

it('mixes reads, updates, and creations, which only admins send', () => {
  const requests = requestsFor('mixed', 20_000);
  const by = (method: string) => requests.filter((request) => request.method === method);
  expect(share(by('GET'), requests)).toBeCloseTo(0.8, 1);
  expect(share(by('PATCH'), requests)).toBeCloseTo(0.15, 1);
  expect(share(by('POST'), requests)).toBeCloseTo(0.05, 1);
  expect(new Set(by('POST').map(({ headers }) => headers.authorization))).toEqual(new Set(['admin']));
  expect(by('GET').some(({ path }) => path.includes('search='))).toBe(true);
  expect(by('GET').some(({ path }) => path.includes('department='))).toBe(true);
});
