/** Checks the field names in the log of a whole run: people search and filter by them. */
import { readFile } from 'node:fs/promises';

/** @returns the fields whose names are not in snake_case, except `operationId`, which is named as in the contract */
export async function misnamedLogFields(logFile: string): Promise<string[]> {
  const found = new Set<string>();
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null || path === '.err') return;
    for (const [name, inner] of Object.entries(value)) {
      const at = Array.isArray(value) ? path : `${path}.${name}`;
      if (/[A-Z]/.test(name) && name !== 'operationId') found.add(at.slice(1));
      visit(inner, at);
    }
  };
  const text = await readFile(logFile, 'utf8').catch(() => '');
  for (const line of text.split('\n').filter(Boolean)) visit(JSON.parse(line), '');
  return [...found];
}
