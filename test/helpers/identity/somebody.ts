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

/** Adds a person for whom only the name matters. @returns their id */
export async function addPerson(app: TestApp, name: string, fields: Record<string, unknown> = {}): Promise<string> {
  const person = { name, email: `${randomUUID()}@example.com`, position: 'Driver', department: 'Field', ...fields };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
}
