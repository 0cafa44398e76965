// A whole comparison, from arguments to verdict.
import { compareDocuments } from '../compare/document.ts';
import { OperationFilter } from '../compare/filter.ts';
import { type ContractDocument, loadDocument } from '../load/document.ts';
import { CannotCompare } from '../model/cannot-compare.ts';
import { isDay, today } from '../model/days.ts';
import { type Finding, levels } from '../model/findings.ts';
import { readPolicy } from '../policy/read-policy.ts';
import { decide, readDecisions } from './change-files.ts';
import { applyExceptions, type Exception, readExceptions } from './exceptions.ts';
import { checkOptions, type Options } from './options.ts';
import { blocking, type Judgement, judgeVersions, missingVersion, type VersionRules } from './versions.ts';

export type { Options };

export interface Result extends Judgement {
  /** Findings that require a version bump, strictest first. */
  readonly findings: readonly Finding[];
  /** Findings that require nothing. */
  readonly notes: readonly Finding[];
  /** Non-fatal problems of the documents, with locations. */
  readonly warnings: readonly string[];
  /** Findings that fail the verdict. */
  readonly blocking: readonly Finding[];
  /** Findings accepted by an exception. */
  readonly accepted: readonly Finding[];
  readonly ok: boolean;
}

/**
 * Compares two documents.
 *
 * @param base, revised each a file, a folder of releases, `REV:path` of git, an http URL, `-` for standard input, a list of files
 *   of one API, or the document as a value
 * @throws TypeError for an unknown option or an invalid value
 * @throws CannotCompare when a document can't be read or isn't OpenAPI, or a policy, exception, or decision is invalid
 */
export async function compareContracts(
  base: string | object,
  revised: string | object,
  options: Options = {},
): Promise<Result> {
  const { failOn, singleVersion } = checkOptions(options);
  const day = options.today ?? today();
  if (!isDay(day)) throw new CannotCompare(`${day} is not a day such as 2027-01-31.`);
  if (base === '-' && revised === '-') throw new CannotCompare('Only one of the two can come through standard input.');
  const reasons: string[] = [];
  const [filter, policy, exceptions, decisions] = [
    await attempt(() => new OperationFilter(options), reasons),
    await attempt(() => readPolicy(options.policy), reasons),
    await attempt(() => readExceptions(options.exceptions), reasons),
    await attempt(() => readDecisions(options.changes), reasons),
  ];
  const loading = {
    ...options.sources,
    needsVersion: failOn === undefined,
    stabilityLevels: policy?.unstableLevels ?? [],
  };
  const ofRevised: string[] = [];
  const [old, now] = await Promise.all([
    attempt(() => loadDocument(base, loading), reasons),
    attempt(() => loadDocument(revised, loading), ofRevised),
  ]);
  reasons.push(...ofRevised);
  if (!old || !now || !filter || !policy || !exceptions || !decisions) throw new CannotCompare(...new Set(reasons));
  const rules: VersionRules = {
    policy,
    singleVersion: singleVersion ?? policy.singleVersion,
    ...(failOn !== undefined && { failOn }),
  };
  const { findings, idle } = decide(compareDocuments(old, now, policy, day, filter), decisions);
  const left = filter.summary();
  const notices = idle.map(({ file, keys }) => `${file}: nothing at ${pointerOf(keys)} needs a decision.`);
  if (left !== undefined) notices.push(left);
  const all = [...findings, ...missingVersion(old, now, rules)];
  return judge(old, now, all, exceptions, notices, day, rules);
}

/** Runs a step, and collects errors, so that all of them are reported at once. */
async function attempt<T>(work: () => T | Promise<T>, reasons: string[]): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CannotCompare)) throw error;
    reasons.push(...error.reasons);
    return undefined;
  }
}

function judge(
  base: ContractDocument,
  revised: ContractDocument,
  all: readonly Finding[],
  exceptions: readonly Exception[],
  notices: readonly string[],
  day: string,
  rules: VersionRules,
): Result {
  const { findings, accepted, notices: ofExceptions } = applyExceptions(all, exceptions, day);
  const judgement = judgeVersions(base, revised, findings, rules);
  const sorted = findings.sort(strictestFirst);
  return {
    ...judgement,
    notices: [...judgement.notices, ...notices, ...ofExceptions],
    blocking: blocking({ findings: sorted, verdicts: judgement.verdicts }, rules.failOn),
    warnings: [...new Set([...base.warnings, ...revised.warnings])],
    findings: sorted.filter(({ level }) => level !== 'none'),
    notes: sorted.filter(({ level }) => level === 'none'),
    accepted: accepted.sort(strictestFirst),
    ok: judgement.verdicts.interface.ok && judgement.verdicts.webhook_payload.ok,
  };
}

const strictestFirst = (a: Finding, b: Finding): number => levels.indexOf(b.level) - levels.indexOf(a.level);

const pointerOf = (keys: string): string =>
  (JSON.parse(keys) as string[]).map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
