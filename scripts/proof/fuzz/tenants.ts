// Users of two companies send random requests of the contract, with ids, cursors, and keys of both. Responses to one company are
// searched for data of the other, and the other's rows are compared before and after.
import fc from 'fast-check';
import { read, utils } from 'xlsx';
import { contract, contractOperations, type Schema } from '../../../src/contract/contract.ts';
import { tenantTableNames } from '../../../src/platform/tenancy/tables.ts';
import { contractAjv } from '../../generate/contract-ajv.ts';
import { curl } from './curl.ts';
import { bytesOf, type ContractOperation, type FuzzRequest, validRequests } from './requests.ts';
import { fillIn } from './run.ts';
import { type FuzzResponse, type Sent, send } from './send.ts';
import type { Caller, Role, World } from './world.ts';

export interface Side {
  /** Unique text in all of the company's data. */
  label: string;
  world: World;
  both: Caller;
}

type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

interface Programs {
  sides: readonly [Side, Side];
  /** Direct database access. */
  query: Query;
  seed: number;
  steps: number;
  /** The only company whose users send requests; default both. */
  only?: Side;
}

interface Outcome {
  requests: number;
  /** Successful requests (2xx) by operation. */
  carriedOut: Map<string, number>;
  /** Requests with an id of the other company. */
  across: number;
  filesRead: number;
  violations: string[];
}

/** Requests by users of one company, before checking the other's rows. */
const segment = 20;
const maxFiles = 40;

export async function runPrograms({ sides, query, seed, steps, only }: Programs): Promise<Outcome> {
  const outcome: Outcome = { requests: 0, carriedOut: new Map(), across: 0, filesRead: 0, violations: [] };
  const knowledge = createKnowledge(sides);
  const random = randomNumbers(seed);
  const cursors: string[] = ['nonsense'];
  for (let step = 0; step < steps; ) {
    const own = only ?? sides[random(2)]!;
    const other = sides.find((side) => side !== own)!;
    const before = await fingerprint(query, other);
    for (let n = 0; n < segment && step < steps; n++, step++) {
      const each = contractOperations[random(contractOperations.length)]!;
      const [generated] = fc.sample(validRequests(each), { seed: seed + step, numRuns: 1 });
      const foreign = random(2) === 0;
      const sent = toSend(each, generated!, own, foreign ? other : own, cursors, random);
      if (foreign && /\{\{|%7B%7B/.test(generated!.path + generated!.query)) outcome.across += 1;
      const response = await send(own.world.base_url, sent);
      outcome.requests += 1;
      if (response.status < 300) {
        const { operationId } = each.operation;
        outcome.carriedOut.set(operationId, (outcome.carriedOut.get(operationId) ?? 0) + 1);
      }
      for (const [, cursor] of response.text.matchAll(/"nextCursor":"([^"]+)"/g)) cursors.push(cursor!);
      // Without a company, a user of both may see both.
      const ofBoth = !each.path.startsWith('/v1/') && sent.headers.some(([, value]) => value.endsWith(own.both.token));
      const violations = ofBoth ? [] : [...knowledge.learn(own, requestText(sent), response)];
      if (response.status >= 500) violations.push(`returned ${response.status}`);
      const describe = (sentence: string) =>
        `${sentence}\n  ${curl(own.world.base_url, sent)}\n  ${response.text.slice(0, 500)}`;
      outcome.violations.push(...violations.map(describe));
    }
    const after = await fingerprint(query, other);
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    if (changed.length > 0)
      outcome.violations.push(`step ${step}: ${own.label} changed ${changed.join(', ')} of ${other.label}`);
    for (const kind of own.world.ids.keys()) if (random(4) === 0) await own.world.refresh(kind);
  }
  for (const { label, url } of knowledge.files.slice(-maxFiles)) {
    const text = await contentOf(url);
    outcome.filesRead += 1;
    const stranger = sides.find((side) => side.label !== label)!;
    if (text.toLowerCase().includes(stranger.label))
      outcome.violations.push(`a file of ${label} shows ${stranger.label}: ${url}`);
  }
  return outcome;
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const contractText = JSON.stringify(contract);

/** The nil and max UUIDs (RFC 9562, sections 5.9 and 5.10). */
const reservedIds = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Tokens seen by each company. Whatever one company has seen must never be shown to the other. */
function createKnowledge(sides: readonly [Side, Side]) {
  const known = new Map(sides.map(({ label }) => [label, new Set<string>()]));
  const files: { label: string; url: string }[] = [];
  const shared = new Set<string>();
  // Shared by both companies: the OAuth client, and the ids of users of both.
  for (const { both } of sides) for (const id of Object.values(claimsOf(both.token))) shared.add(id);
  return {
    files,
    *learn({ label, world }: Side, request: string, { text, headers }: FuzzResponse): Generator<string> {
      const stranger = sides.find((side) => side.label !== label)!;
      // Filters of exports and saved views repeat ids from earlier requests, whoever they belong to.
      const responseText = `${JSON.stringify(headers)}${text.replaceAll(/"filters":\{[^}]*\}/g, '')}`;
      if (responseText.toLowerCase().includes(stranger.label) && !request.toLowerCase().includes(stranger.label)) {
        yield `${label} is shown a text of ${stranger.label}`;
      }
      for (const [token] of responseText.matchAll(
        /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\/files\/[\w.~-]{20,}/g,
      )) {
        if (shared.has(token) || request.includes(token)) continue;
        // Examples of the contract and reserved ids are not leaks: both sides may have sent them.
        if (token === headers['x-request-id'] || contractText.includes(token) || reservedIds.includes(token)) continue;
        const isFile = token.startsWith('/files/');
        if (isFile) files.push({ label, url: world.base_url + token });
        if (known.get(stranger.label)!.has(token))
          yield `${label} is shown ${token}, which belongs to ${stranger.label}: ${excerpt(responseText, token)}`;
        known.get(label)!.add(token);
      }
    },
  };
}

function excerpt(text: string, found: string): string {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - 60), at + found.length + 20);
}

function subjectOf(token: string): string {
  return claimsOf(token).sub;
}

function claimsOf(token: string): { sub: string; client_id: string; grant_id: string } {
  const {
    sub,
    client_id: clientId,
    grant_id: grantId,
  } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  return { sub, client_id: clientId, grant_id: grantId };
}

function requestText({ path, headers, body }: Sent): string {
  const own = headers.filter(([name]) => name !== 'Authorization').flat();
  return `${decoded(path)} ${own.join(' ')} ${body?.toString() ?? ''}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const ajv = contractAjv();

function toSend(
  each: ContractOperation,
  request: FuzzRequest,
  own: Side,
  named: Side,
  cursors: string[],
  random: (below: number) => number,
): Sent {
  const role = (['admin', 'admin', 'manager', 'employee', 'both'] as const)[random(5)]!;
  const caller: Caller = role === 'both' ? own.both : own.world.callers[role as Role];
  const cursor = cursors[random(cursors.length)]!;
  const query = request.query.replace(/([?&]cursor=)[^&]*/, (_, name: string) => name + cursor);
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${caller.token}`],
    ['X-Company-Id', caller.company_id],
    ...request.headers.filter(([name]) => name !== 'Idempotency-Key'),
  ];
  // Both companies use the same few keys.
  if (each.method === 'post' && random(3) === 0)
    headers.push(['Idempotency-Key', `key-${random(5)}-${each.operation.operationId}`]);
  const body =
    request.body && 'json' in request.body ? { json: labelled(each, request.body.json, own.label) } : request.body;
  const bytes = bytesOf(body);
  return {
    method: request.method,
    path: fillIn(named.world, request.path) + fillIn(named.world, query, encodeURIComponent),
    headers,
    body: bytes?.includes('{{') ? Buffer.from(fillIn(named.world, bytes.toString('latin1')), 'latin1') : bytes,
  };
}

const validators = new Map<string, (value: unknown) => boolean>();

/** Adds the company's label to each string in the body where it fits. */
function labelled({ operation }: ContractOperation, json: unknown, label: string): unknown {
  const schema = operation.requestBody!.content['application/json']!.schema;
  const fits =
    validators.get(operation.operationId) ?? ajv.compile({ ...(schema as Schema), components: contract.components });
  validators.set(operation.operationId, fits as (value: unknown) => boolean);
  const walk = (value: unknown, rebuild: (inner: unknown) => unknown): unknown => {
    if (typeof value === 'string' && !value.startsWith('{{')) {
      const candidates = [`${label} ${value}`, `${label}${value}`, label].map((text) => text.slice(0, 60));
      return candidates.find((text) => fits(structuredClone(rebuild(text)))) ?? value;
    }
    if (Array.isArray(value)) {
      let list: unknown[] = value;
      for (const at of value.keys())
        list = list.with(
          at,
          walk(list[at], (inner) => rebuild(list.with(at, inner))),
        );
      return list;
    }
    if (typeof value !== 'object' || value === null) return value;
    let object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      object = { ...object, [name]: walk(object[name], (inner) => rebuild({ ...object, [name]: inner })) };
    }
    return object;
  };
  return walk(json, (whole) => whole);
}

/** Hash by table of the company's rows, and of its users' global rows. */
export async function fingerprint(query: Query, { world }: Side): Promise<Record<string, unknown>> {
  const { company_id: companyId } = world.callers.admin;
  const prints: Record<string, unknown> = {};
  for (const table of tenantTableNames) {
    if (table === 'audit_log') continue; // some entries are written with a delay: see `strangersInAudit`
    if (table === 'connection_uses') continue; // usage times are written in batches
    const sql = `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as hash from ${table} t where company_id = $1`;
    prints[table] = (await query(sql, [companyId]))[0]!.hash;
  }
  const own = Object.values(world.callers).map(({ token }) => subjectOf(token));
  for (const [table, column] of [
    ['users', 'id'],
    ['oauth_grants', 'user_id'],
  ]) {
    const sql = `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as hash from ${table} t where ${column} = any($1)`;
    prints[table!] = (await query(sql, [own]))[0]!.hash;
  }
  return prints;
}

/** @returns the number of audit log entries in a company that its actor does not belong to */
export async function strangersInAudit(query: Query): Promise<number> {
  const [row] = await query(
    `select count(*)::integer as entries from audit_log entry where actor_id is not null and not exists (
       select from memberships m where m.user_id = entry.actor_id and m.company_id = entry.company_id)`,
    [],
  );
  return Number(row!.entries);
}

async function contentOf(url: string): Promise<string> {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!/spreadsheetml/.test(response.headers.get('content-type') ?? '')) return bytes.toString();
  const book = read(bytes);
  return book.SheetNames.map((name) => `${name}\n${utils.sheet_to_csv(book.Sheets[name]!)}`).join('\n');
}
