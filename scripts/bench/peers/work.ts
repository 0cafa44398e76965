// What all peers do alike: the same statements as the service, on the same database, and the same JSON.
import { randomInt, randomUUID } from 'node:crypto';
import type { AddressInfo, Server } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';
import { exit } from '../../../src/platform/process/exit.ts';
import { statements } from './statements.ts';

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

type Row = Record<string, unknown>;

export function shown(row: Row): Row {
  return { ...row, salary: row.salary === null ? null : Number(row.salary), avatar_url: null };
}

export async function getOne(company_id: unknown, id: unknown): Promise<Row | undefined> {
  const { rows } = await pool.query({ name: 'get', text: statements.get, values: [company_id, id] });
  return rows[0] && shown(rows[0]);
}

export async function listPage(company_id: unknown, page: number, per_page: number): Promise<Row> {
  const counted = pool.query({ name: 'count', text: statements.count, values: [company_id] });
  const values = [company_id, per_page, (page - 1) * per_page];
  const { rows } = await pool.query({ name: 'list', text: statements.list, values });
  const { total } = (await counted).rows[0];
  const total_pages = Math.ceil(total / per_page);
  const meta = { total, page, per_page, total_pages, has_next: page < total_pages, has_prev: page > 1 };
  return { data: rows.map(shown), meta };
}

/** With everything that a creation of the service writes, so that its totals stay right and its events are delivered. */
const writes_all = process.env.WRITES === 'all';

/** Row, history and event in one transaction of four statements and a commit; with all writes, of seven. */
export async function add(company_id: unknown, body: Row): Promise<Row> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { name, email, position, department, phone, hire_date, location } = body;
    const values = [company_id, randomUUID(), name, email, position, department, phone, hire_date, location];
    const { rows } = await client.query({ name: 'add', text: statements.add, values });
    const row = shown(rows[0]);
    await client.query({ name: 'h', text: statements.addHistory, values: [company_id, randomUUID(), row.id] });
    await client.query({
      name: 'e',
      text: statements.addEvent,
      values: [company_id, randomUUID(), JSON.stringify(row)],
    });
    if (writes_all) await addOthers(client, company_id, row);
    await client.query('commit');
    return row;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function addOthers(client: pg.PoolClient, company_id: unknown, { id }: Row): Promise<void> {
  const details = { fields: ['name', 'email', 'position', 'department', 'phone', 'hire_date', 'location'] };
  const audit = [company_id, randomUUID(), randomUUID(), id, JSON.stringify(details)];
  await client.query({ name: 'c', text: statements.addCounts, values: [company_id, randomInt(16)] });
  await client.query({ name: 'm', text: statements.addMark, values: [company_id] });
  await client.query({ name: 'a', text: statements.addAudit, values: audit });
}

/** Verifies an access token once, and remembers it until it expires. */
export function tokenCheck(): (authorization: string | undefined) => Promise<boolean> {
  const issuer = process.env.ISSUER!;
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));
  const known = new Map<string, number>();
  return async (authorization) => {
    const token = authorization?.startsWith('Bearer ') ? authorization.slice(7) : '';
    const ends_s = known.get(token);
    if (ends_s !== undefined) return ends_s * 1_000 > Date.now();
    const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer });
    known.set(token, payload.exp!);
    return true;
  };
}

/** Prints the address as the first line. */
export function announce(server: Server): void {
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
  process.on('SIGTERM', () => exit(0));
}
