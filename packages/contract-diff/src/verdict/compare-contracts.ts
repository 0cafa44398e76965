// A whole comparison, from two arguments to a judgement.
import { compareDocuments } from '../compare/document.ts';
import { type ContractDocument, loadDocument } from '../load/document.ts';
import type { SourceOptions } from '../load/sources/source.ts';
import { CannotCompare } from '../model/cannot-compare.ts';
import type { Bump, Finding, Level } from '../model/findings.ts';
import { decide, readDecisions } from './decisions.ts';
import { type Judgement, judgeVersions, missingVersion, type VersionRules } from './versions.ts';

export interface Options {
  /** The folder of files that decide about changed words. */
  readonly changes: string;
  /** Webhook payloads share `info.version`. */
  readonly single: boolean;
  /** The largest change that passes, whatever the versions say. */
  readonly atMost?: Bump;
  /** How much is read of documents, and from where; what is not given is as the command line has it. */
  readonly sources?: Partial<SourceOptions>;
}

export interface Result extends Judgement {
  /** What asks for a version, the strictest first. */
  readonly findings: readonly Finding[];
  /** What asks for nothing, and is only to be noted. */
  readonly notes: readonly Finding[];
  /** What is odd about one of the documents and did not hinder, each with its place. */
  readonly warnings: readonly string[];
  readonly ok: boolean;
}

/**
 * Compares two documents.
 *
 * @param base, revised each a file, a folder of releases, `REV:path` of git, an http address, `-` for standard input, or the
 *   document as a value
 * @throws CannotCompare when one of them can't be read or is no OpenAPI document, or a decision is not well written
 */
export async function compareContracts(
  base: string | object,
  revised: string | object,
  options: Options,
): Promise<Result> {
  if (base === '-' && revised === '-') throw new CannotCompare('Only one of the two can come through standard input.');
  const loading = { ...options.sources, needsVersion: options.atMost === undefined };
  const [old, now, decisions] = await Promise.allSettled([
    loadDocument(base, loading),
    loadDocument(revised, loading),
    readDecisions(options.changes),
  ]);
  const failed = [old, now, decisions]
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as unknown);
  const surprise = failed.find((reason) => !(reason instanceof CannotCompare));
  if (surprise !== undefined) throw surprise;
  if (old.status === 'rejected' || now.status === 'rejected' || decisions.status === 'rejected')
    throw new CannotCompare(...failed.flatMap((reason) => (reason as CannotCompare).reasons));
  return judge(old.value, now.value, compareDocuments(old.value, now.value), decisions.value, options);
}

function judge(
  base: ContractDocument,
  revised: ContractDocument,
  found: readonly Finding[],
  decisions: Awaited<ReturnType<typeof readDecisions>>,
  rules: VersionRules,
): Result {
  const { findings, idle } = decide(found, decisions);
  const all = [...findings, ...missingVersion(base, revised, rules)];
  const judgement = judgeVersions(base, revised, all, rules);
  const weights: readonly Level[] = ['major', 'undecided', 'minor', 'patch', 'none'];
  const sorted = all.sort((a, b) => weights.indexOf(a.level) - weights.indexOf(b.level));
  const unused = idle.map(
    ({ file, keys }) => `${file} decides about ${pointerOf(keys)}, where nothing waits for a decision.`,
  );
  return {
    ...judgement,
    notices: [...judgement.notices, ...unused],
    warnings: [...new Set([...base.warnings, ...revised.warnings])],
    findings: sorted.filter(({ level }) => level !== 'none'),
    notes: sorted.filter(({ level }) => level === 'none'),
    ok: judgement.verdicts.interface.ok && judgement.verdicts.webhook_payload.ok,
  };
}

const pointerOf = (keys: string): string =>
  (JSON.parse(keys) as string[]).map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
