/** The files for operators, as the tests of this folder read them. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { loadAll, YAML11_SCHEMA } from 'js-yaml';
import { settings } from '../../../src/platform/config/settings.ts';

export const root = new URL('../../../', import.meta.url);

/** What the tests look at in a document. */
export type Document = Record<string, unknown> & { kind?: string; metadata?: { name: string } };

/**
 * As Kubernetes and Docker read YAML: with merges, and 0440 as an octal number.
 * @param path from the top of the repository
 */
export async function documentsOf(path: string): Promise<Document[]> {
  return loadAll(await text(path), { schema: YAML11_SCHEMA }) as Document[];
}

export function text(path: string): Promise<string> {
  return readFile(new URL(path, root), 'utf8');
}

/** Names of all settings; a secret may also be the file that NAME_FILE names. */
export function settingNames(): Set<string> {
  const names = Object.keys(settings.shape);
  return new Set(names.flatMap((name) => [name, `${name}_FILE`]));
}

/** What both mount as files, as their instructions make it. */
export function madeSecrets(): Record<string, string> {
  return {
    DATABASE_URL: 'postgres://collaborators:made@postgres:5432/collaborators',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtps://people:made@mail.example.com',
  };
}
