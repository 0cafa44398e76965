// Change files, which decide whether changed prose changes the meaning: `openapi/changes/*.yaml`.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from '../load/parse.ts';
import { CannotCompare } from '../model/cannot-compare.ts';
import type { Finding } from '../model/findings.ts';
import { isList, isObject, type JsonObject, keysOf } from '../model/json.ts';

interface Decision {
  /** JSON pointer of a finding, as keys. */
  readonly keys: string;
  readonly meaning: 'same' | 'changed';
  /** The text at the time of the decision, if given; a different text needs a new decision. */
  readonly after?: unknown;
  readonly file: string;
}

/**
 * Reads all decisions in a folder. A file has one decision or a list:
 *
 *     - pointer: /components/schemas/Collaborator/properties/status/description
 *       meaning: same
 *       why: spelling
 *
 * @returns an empty list if the folder does not exist
 * @throws CannotCompare when a file is invalid
 */
export async function readDecisions(folder: string | undefined): Promise<Decision[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CannotCompare(`${folder}: ${error.message}`);
  });
  const files = names.filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  const read = await Promise.all(
    files.map(async (name) => {
      const file = join(folder, name);
      const value = parse(await readFile(file, 'utf8'), file);
      const entries =
        isObject(value) && isList(value.changes) ? value.changes : isList(value) ? value : value ? [value] : [];
      return entries.map((entry) => decisionOf(entry, file));
    }),
  );
  return read.flat();
}

function decisionOf(entry: unknown, file: string): Decision {
  const { pointer, meaning, after } = (isObject(entry) ? entry : {}) as JsonObject;
  if (typeof pointer !== 'string' || !/^#?(\/|$)/.test(pointer))
    throw new CannotCompare(`${file}: each decision needs the \`pointer\` of a finding.`);
  if (meaning !== 'same' && meaning !== 'changed')
    throw new CannotCompare(`${file}: \`meaning\` of ${pointer} must be \`same\` or \`changed\`.`);
  return { keys: pointerKey(pointer), meaning, file, ...(after !== undefined && { after }) };
}

/**
 * Resolves undecided findings: `same` makes them a patch, `changed` a major change.
 * @returns the findings, and unused decisions
 */
export function decide(
  findings: readonly Finding[],
  decisions: readonly Decision[],
): { findings: Finding[]; unused: Decision[] } {
  const used = new Set<Decision>();
  const decided = findings.map((finding) => {
    // An informational prose change counts if a decision says that it changes the meaning.
    const noted = finding.level === 'none' && finding.class === 'meaning';
    if (finding.level !== 'undecided' && !noted) return finding;
    const decision = decisions.find(
      ({ keys, after }) => keys === pointerKey(finding.pointer) && (after === undefined || after === finding.after),
    );
    if (!decision) return finding;
    used.add(decision);
    if (decision.meaning === 'changed') return { ...finding, level: 'major' as const };
    return noted ? finding : { ...finding, level: 'patch' as const };
  });
  return { findings: decided, unused: decisions.filter((decision) => !used.has(decision)) };
}

const pointerKey = (pointer: string): string => JSON.stringify(keysOf(pointer));
