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
import { blocking, type Evaluation, evaluateVersions, missingVersion, type VersionRules } from './versions.ts';

export type { Options };

export interface Result extends Evaluation {
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
  const loadOptions = {
    ...options.sources,
    needsVersion: failOn === undefined,
    stabilityLevels: policy?.unstableLevels ?? [],
  };
  const revisedReasons: string[] = [];
  const [old, now] = await Promise.all([
    attempt(() => loadDocument(base, loadOptions), reasons),
    attempt(() => loadDocument(revised, loadOptions), revisedReasons),
  ]);
  reasons.push(...revisedReasons);
  if (!old || !now || !filter || !policy || !exceptions || !decisions) throw new CannotCompare(...new Set(reasons));
  const rules: VersionRules = {
    policy,
    singleVersion: singleVersion ?? policy.singleVersion,
    ...(failOn !== undefined && { failOn }),
  };
  const { findings, unused } = decide(compareDocuments(old, now, policy, day, filter), decisions);
  const filterSummary = filter.summary();
  const notices = unused.map(({ file, keys }) => `${file}: nothing at ${pointerOf(keys)} needs a decision.`);
  if (filterSummary !== undefined) notices.push(filterSummary);
  const all = [...findings, ...missingVersion(old, now, rules)];
  return evaluate(old, now, all, exceptions, notices, day, rules);
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

function evaluate(
  base: ContractDocument,
  revised: ContractDocument,
  all: readonly Finding[],
  exceptions: readonly Exception[],
  notices: readonly string[],
  day: string,
  rules: VersionRules,
): Result {
  const { findings, accepted, notices: exceptionNotices } = applyExceptions(all, exceptions, day);
  const evaluation = evaluateVersions(base, revised, findings, rules);
  const sorted = findings.sort(strictestFirst);
  return {
    ...evaluation,
    notices: [...evaluation.notices, ...notices, ...exceptionNotices],
    blocking: blocking({ findings: sorted, verdicts: evaluation.verdicts }, rules.failOn),
    warnings: [...new Set([...base.warnings, ...revised.warnings])],
    findings: sorted.filter(({ level }) => level !== 'none'),
    notes: sorted.filter(({ level }) => level === 'none'),
    accepted: accepted.sort(strictestFirst),
    ok: evaluation.verdicts.interface.ok && evaluation.verdicts.webhook_payload.ok,
  };
}

const strictestFirst = (a: Finding, b: Finding): number => levels.indexOf(b.level) - levels.indexOf(a.level);

const pointerOf = (keys: string): string =>
  (JSON.parse(keys) as string[]).map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
