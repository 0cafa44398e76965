// Shared by all peers: the same statements as the service, on the same database, and the same JSON.
import { randomInt, randomUUID } from 'node:crypto';
import type { AddressInfo, Server } from 'node:net';
import pg from 'pg';
import { exit } from '../../../src/platform/process/exit.ts';
import type { Caller } from './caller.ts';
import { listStatements, type Query } from './lists.ts';
import { changeOf, statements } from './statements.ts';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text); // a date has no time zone
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

type Row = Record<string, unknown>;

/** Managers don't see salaries. Nobody has a photo, a directory, or custom fields here. */
export function toResponse({ total: _, revision: __, avatar_key: avatarKey, ...row }: Row, { id, role }: Caller): Row {
  const { salary, managed_fields: ___, custom_fields: customFields, ...others } = row;
  const avatarUrl = avatarKey === null ? null : `/files/${avatarKey}`;
  const view: Row = { ...others, custom_fields: customFields ?? {}, avatar_url: avatarUrl };
  if (role === 'admin' || row.id === id) return { ...view, salary: salary === null ? null : Number(salary) };
  return { ...view, restricted_fields: ['salary'] };
}

const names = new Map<string, string>();

async function prepared(client: pg.Pool | pg.PoolClient, text: string, values: unknown[]): Promise<Row[]> {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return (await client.query({ name, text, values })).rows;
}

/** @returns undefined if the person doesn't exist or is out of reach */
export async function getOne(companyId: unknown, caller: Caller, id: string): Promise<Row | undefined> {
  const [row] = reachesAll(caller, id)
    ? await prepared(pool, statements.get, [companyId, id])
    : await prepared(pool, statements.getBelow, [companyId, id, caller.id]);
  return row && toResponse(row, caller);
}

/** Whether access needs no check of the reporting line. */
export function reachesAll({ id: self, role }: Caller, id: string): boolean {
  return role === 'admin' || id === self;
}

export async function listPage(companyId: unknown, caller: Caller, query: Query): Promise<Row> {
  const { rows: find, total: count } = listStatements(companyId, caller, query);
  const counting = query.search
    ? undefined
    : prepared(pool, count?.[0] ?? statements.counts, count?.[1] ?? [companyId]);
  const rows = await prepared(pool, ...find);
  const [counts] = (await counting) ?? rows;
  const total = Number(counts?.[count ? 'total' : String(query.search ? 'total' : (query.status ?? 'total'))] ?? 0);
  const { page = 1, per_page: perPage = 20 } = query;
  const totalPages = Math.ceil(total / Number(perPage));
  const pagePosition = { page: Number(page), per_page: Number(perPage) };
  const meta = {
    total,
    ...pagePosition,
    total_pages: totalPages,
    has_next: pagePosition.page < totalPages,
    has_prev: pagePosition.page > 1,
  };
  return { data: rows.map((row) => toResponse(row, caller)), meta };
}

/** One transaction with six statements and a commit, as in the service. */
export async function add(companyId: unknown, caller: Caller, body: Row): Promise<Row> {
  return transaction(async (client) => {
    const { name, email, position, department, phone, hire_date: hireDate, location } = body;
    const values = [companyId, randomUUID(), name, email, position, department, phone, hireDate, location];
    const [row] = await prepared(client, statements.add, values);
    await recordChange(client, companyId, caller, row!, {
      word: 'created',
      pending: 1,
      changes: [],
      fields: Object.keys(body),
    });
    return toResponse(row!, caller);
  });
}

/** One transaction with seven statements. @returns undefined if the person doesn't exist or is out of reach */
export async function change(companyId: unknown, caller: Caller, id: string, body: Row): Promise<Row | undefined> {
  if (!(await getOne(companyId, caller, id))) return undefined;
  return transaction(async (client) => {
    const [before] = await prepared(client, statements.lock, [companyId, id]);
    const [[field, to]] = Object.entries(body) as [[string, unknown]];
    const [row] = await prepared(client, changeOf(field), [companyId, id, to]);
    const changes = [{ field, from: before![field], to }];
    await recordChange(client, companyId, caller, row!, { word: 'updated', pending: 0, changes, fields: [field] });
    return toResponse(row!, caller);
  });
}

interface ChangeRecord {
  word: 'created' | 'updated';
  pending: number;
  changes: object[];
  fields: string[];
}

async function recordChange(
  client: pg.PoolClient,
  companyId: unknown,
  { user_id: userId }: Caller,
  row: Row,
  record: ChangeRecord,
) {
  const { word, pending, changes, fields } = record;
  const history = [companyId, randomUUID(), row.id, word, `Collaborator ${word}`, JSON.stringify(changes)];
  await prepared(client, statements.addHistory, history);
  const event = [companyId, randomUUID(), `collaborator.${word}`, word, JSON.stringify({ ...row, changed: fields })];
  await prepared(client, statements.addEvent, event);
  if (pending) await prepared(client, statements.addCounts, [companyId, randomInt(16), pending]);
  const audit = [companyId, randomUUID(), `${word}Collaborator`, userId, row.id, JSON.stringify({ fields })];
  await prepared(client, statements.addAudit, audit);
}

async function transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

export function announce(server: Server): void {
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
  process.on('SIGTERM', () => exit(0));
}
