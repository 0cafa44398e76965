// Creates the base and revised documents of a case.
import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { keysOf } from '../../src/model/json.ts';
import { absent, type Case } from './case.ts';

const document = load(readFileSync(new URL('../document.yaml', import.meta.url), 'utf8'), { schema: CORE_SCHEMA });

export const freshDocument = (): Record<string, unknown> => structuredClone(document) as Record<string, unknown>;

export function documentsOf({ edits }: Case): [base: Record<string, unknown>, revised: Record<string, unknown>] {
  const [base, revised] = [freshDocument(), freshDocument()];
  for (const { at, before, after } of edits) {
    put(base, at, before);
    put(revised, at, after);
  }
  return [base, revised];
}

/** Sets or removes the value at a pointer. */
function put(root: unknown, pointer: string, value: unknown): void {
  const keys = keysOf(pointer);
  const last = keys.pop()!;
  const parent = keys.reduce<Record<string, unknown>>(
    (node, key) => {
      node[key] ??= {};
      return node[key] as Record<string, unknown>;
    },
    root as Record<string, unknown>,
  );
  if (value !== absent) parent[last] = structuredClone(value);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
}
