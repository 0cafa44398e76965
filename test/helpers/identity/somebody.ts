import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app.ts';

/** Adds a person for whom only the name matters. @returns their id */
export async function addPerson(app: TestApp, name: string, fields: Record<string, unknown> = {}): Promise<string> {
  const person = { name, email: `${randomUUID()}@example.com`, position: 'Driver', department: 'Field', ...fields };
  return (await app.admin.post('/v1/collaborators', person).expect(201)).body.id;
}
