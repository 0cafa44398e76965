import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../../src/identity/passwords/passwords.ts';
import type { Person } from '../../../src/product/companies/companies.ts';
import type { TestApp } from '../app.ts';

const hashes = new Map<string, Promise<string>>();

/** Hashes each person's password once per process: with the parameters of production, that takes 15 ms of CPU. */
export function hashOf({ email, password }: Pick<Person, 'email' | 'password'>): Promise<string> {
  const key = JSON.stringify([email, password]);
  if (!hashes.has(key)) hashes.set(key, hashPassword(password));
  return hashes.get(key)!;
}

/** @returns the payloads of a person's events of one name */
export async function eventsOf(app: TestApp, name: string, id: string): Promise<Record<string, unknown>[]> {
  const rows = await app.database.query<{ payload: Record<string, unknown> }>(
    `select payload::json from events
     where name = $1 and coalesce(payload::json ->> 'collaborator_id', payload::json ->> 'id') = $2`,
    [name, id],
  );
  return rows.map(({ payload }) => payload);
}

/** Adds a person for whom only the name matters. @returns their id */
export async function addPerson(app: TestApp, name: string, fields: Record<string, unknown> = {}): Promise<string> {
  const person = { name, email: `${randomUUID()}@example.com`, position: 'Driver', department: 'Field', ...fields };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
}
