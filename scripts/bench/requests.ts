// Benchmark requests, seeded, so that every contestant gets the same sequence. A few people, pages, filters, and searches are
// popular, most are rare; managers send half of the requests.
import { randomUUID } from 'node:crypto';
import { createRandom, type Random } from '../random/random.ts';
import type { Caller, ListedPerson } from './harness/callers.ts';
import { departments, sites } from './harness/fill.ts';

export interface MeasuredRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

/** Each call creates the next request. */
export type Sequence = () => MeasuredRequest;

type RequestSpec = Omit<MeasuredRequest, 'headers'>;
/** @param people accessible to the caller @param random source of randomness */
type Kind = (people: readonly ListedPerson[], random: Random) => RequestSpec;

const seed = 1;
/** Zipf exponent: in a company of 10,000, one percent of the people get 30% of the requests, the less popular half 15%. */
const skew = 0.8;
const perPage = 20;
const sorts = ['name', '-hire_date', 'email', 'department', '-updated_at'];

const kinds: Record<string, Kind> = {
  getAuthUser: () => get('/auth/user'),
  listPermissions: () => get('/v1/permissions'),
  getStatus: (...args) => get(`/v1/collaborators/${someone(...args).id}/status`),
  listHistory: (...args) => get(`/v1/collaborators/${someone(...args).id}/history`),
  getCollaborator: (...args) => get(`/v1/collaborators/${someone(...args).id}`),
  /** All pages, mostly in the default order. */
  listCollaborators: (people, random) => {
    const sort = random.next() < 0.3 ? `&sort=${random.pick(sorts)}` : '';
    return list(`page=${1 + ranked(Math.ceil(people.length / perPage), random)}${sort}`);
  },
  'listCollaborators, filtered': (_, random) => {
    const filter = random.next() < 0.5 ? `department=${random.pick(departments)}` : `location=${site(random)}`;
    const status = random.next() < 0.3 ? `&status=${random.pick(['active', 'pending'])}` : '';
    return list(`${filter}${status}&page=${1 + ranked(3, random)}`);
  },
  'listCollaborators, searched': (people, random) => list(`search=${encodeURIComponent(term(people, random))}`),
  patchCollaborator: (people, random) => ({
    method: 'PATCH',
    path: `/v1/collaborators/${someone(people, random).id}`,
    body: change(random),
  }),
  createCollaborator: (_, random) => ({ method: 'POST', path: '/v1/collaborators', body: newPerson(random) }),
  /** 80% reads, 15% updates, 5% creations. */
  mixed: (people, random) => kinds[part(random)]!(people, random),
};

const adminsOnly = new Set(['createCollaborator']);

function part(random: Random): string {
  const at = random.next();
  if (at < 0.45) return 'getCollaborator';
  if (at < 0.65) return 'listCollaborators';
  if (at < 0.73) return 'listCollaborators, filtered';
  if (at < 0.8) return 'listCollaborators, searched';
  return at < 0.95 ? 'patchCollaborator' : 'createCollaborator';
}

/**
 * @param callers the first is the admin
 * @param round the same sequence for every contestant in a round, another in the next
 */
export function sequenceOf(name: string, callers: readonly Caller[], round = 0): Sequence {
  const kind = kinds[name];
  if (!kind) throw new Error(`OPERATION must be one of ${Object.keys(kinds).join(', ')}.`);
  const random = createRandom(seed).fork(`${name} ${round}`);
  const [admin, ...managers] = callers as [Caller, ...Caller[]];
  const pickCaller = () => (managers.length === 0 || random.next() < 0.5 ? admin : random.pick(managers));
  const requestFrom = (caller: Caller) => ({ ...kind(caller.people, random), headers: caller.headers });
  if (adminsOnly.has(name)) return () => requestFrom(admin);
  return () => {
    const caller = pickCaller();
    const request = requestFrom(caller);
    return request.method === 'POST' ? { ...request, headers: admin.headers } : request;
  };
}

function someone(people: readonly ListedPerson[], random: Random): ListedPerson {
  return people[ranked(people.length, random)]!;
}

const known = new Map<number, Float64Array>();

/** A Zipf-distributed number below `count`: 0 is the most frequent. */
function ranked(count: number, random: Random): number {
  let sums = known.get(count);
  if (!sums) {
    let sum = 0;
    sums = Float64Array.from({ length: count }, (_, rank) => (sum += 1 / (rank + 1) ** skew));
    known.set(count, sums);
  }
  const at = random.next() * sums[count - 1]!;
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function site(random: Random): string {
  return encodeURIComponent(`Site ${ranked(sites, random)}`);
}

/** Search term from a person: the whole name, a common or rare word of it, three letters, or the start of the email. */
function term(people: readonly ListedPerson[], random: Random): string {
  const { name, email } = someone(people, random);
  const words = name.split(' ');
  const terms = [name, words.at(-2) ?? name, words.at(-1)!, words.at(-1)!.slice(0, 3), email.split('@')[0]!];
  return random.pick(terms);
}

function change(random: Random): object {
  const at = random.next();
  if (at < 0.6) return { phone: `+351 ${random.below(1e9)}` };
  return at < 0.8 ? { location: `Site ${random.below(sites)}` } : { position: `Grade ${random.below(40)}` };
}

function newPerson(random: Random) {
  return {
    name: 'Marta Oliveira Lopes',
    email: `${randomUUID()}@example.com`, // must be unique per request
    position: 'Route Planner',
    department: random.pick(departments),
    phone: '+351 21 234 5678',
    hire_date: '2026-03-02',
    location: `Site ${ranked(sites, random)}`,
  };
}

function list(query: string): RequestSpec {
  return get(`/v1/collaborators?per_page=${perPage}&${query}`);
}

function get(path: string): RequestSpec {
  return { method: 'GET', path };
}
