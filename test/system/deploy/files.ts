/** Reads the deployment files. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadAll, YAML11_SCHEMA } from 'js-yaml';
import { settings } from '../../../src/platform/config/settings.ts';

export const root = new URL('../../../', import.meta.url);

/** The part of a document that the tests read. */
export type Document = Record<string, unknown> & { kind?: string; metadata?: { name: string } };

/** Parses YAML as Kubernetes and Docker do, with merge keys and 0440 as octal. @param path from the repository's root */
export async function documentsOf(path: string): Promise<Document[]> {
  return loadAll(await text(path), { schema: YAML11_SCHEMA }) as Document[];
}

export function text(path: string): Promise<string> {
  return readFile(new URL(path, root), 'utf8');
}

/** All setting names; a secret may also be NAME_FILE. */
export function settingNames(): Set<string> {
  const names = Object.keys(settings.shape);
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]));
}

/** The secrets that the instructions create, which are mounted as files. */
export function generateSecrets(): Record<string, string> {
  const database = 'postgres://collaborators:made@postgres:5432/collaborators';
  return {
    DATABASE_URL: database,
    DATABASE_OWNER_URL: database,
    DATABASE_DIRECT_URL: database,
    DATABASE_REPLICA_URL: database,
    STORAGE_URL: 's3://key:made@bucket/files?region=eu-west-1',
    FILE_KEYS: randomBytes(32).toString('base64'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtps://people:made@mail.example.com',
  };
}
