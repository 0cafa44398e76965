// The two versions: the bump that findings require, and whether it was made.
import { webhooksOf } from '../compare/document.ts';
import type { ContractDocument } from '../load/document.ts';
import { type Finding, type Level, levels, type Scope, strictest } from '../model/findings.ts';
import { isObject } from '../model/json.ts';
import { bumpBetween, compareVersions, parseVersion, type Version } from '../model/semver.ts';
import type { Policy } from '../policy/policy.ts';
import { classOf } from '../policy/rules.ts';

export interface Verdict {
  readonly required: Level;
  /** As stated in the documents; null if missing. */
  readonly from: string | null;
  readonly to: string | null;
  readonly ok: boolean;
}

export interface Evaluation {
  readonly verdicts: Readonly<Record<Scope, Verdict>>;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
}

export interface VersionRules {
  readonly policy: Policy;
  readonly singleVersion: boolean;
  /** The mildest level that fails, regardless of versions. */
  readonly failOn?: Level;
}

const scopeLabels: Readonly<Record<Scope, string>> = {
  interface: 'The interface',
  webhook_payload: 'The webhook payload',
};

/** A finding if the payload version is missing. */
export function missingVersion(base: ContractDocument, revised: ContractDocument, rules: VersionRules): Finding[] {
  if (rules.singleVersion || rules.failOn !== undefined) return [];
  for (const document of [revised, base]) {
    const stated = payloadVersion(document);
    if (webhooksOf(document).length === 0 || parseVersion(stated) !== undefined) continue;
    const pointer = stated === undefined ? '/info' : '/info/x-webhook-payload-version';
    const which = document === revised ? 'the revised document' : 'the base document';
    return [
      {
        rule: 'webhook-version-missing',
        class: classOf('webhook-version-missing', 'emit'),
        scope: 'webhook_payload',
        direction: 'both',
        level: rules.policy.levelOf('webhook-version-missing', 'emit'),
        pointer,
        ...document.locate(pointer),
        operations: [],
        before: payloadVersion(base) ?? null,
        after: payloadVersion(revised) ?? null,
        message: `info: ${which} has webhooks, but ${stated === undefined ? 'no `x-webhook-payload-version`' : 'its `x-webhook-payload-version` is not a semantic version'}`,
      },
    ];
  }
  return [];
}

/**
 * Findings that fail the verdict: those that require more than the actual bump.
 * @param failOn the mildest level that fails, if that decides instead of versions
 */
export function blocking(
  { findings, verdicts }: { readonly findings: readonly Finding[]; readonly verdicts: Evaluation['verdicts'] },
  failOn: Level | undefined,
): Finding[] {
  return findings.filter(({ scope, level }) => {
    const { ok, from, to } = verdicts[scope];
    if (failOn !== undefined) return isAtLeast(level, failOn);
    const [old, now] = [parseVersion(from), parseVersion(to)];
    return !ok && !isAtLeast(old && now ? bumpBetween(old, now) : 'none', level);
  });
}

const isAtLeast = (level: Level, minLevel: Level): boolean => levels.indexOf(level) >= levels.indexOf(minLevel);

export function evaluateVersions(
  base: ContractDocument,
  revised: ContractDocument,
  findings: readonly Finding[],
  rules: VersionRules,
): Evaluation {
  const errors: string[] = [];
  const notices: string[] = [];
  const evaluateScope = (scope: Scope): Verdict => {
    const levels = findings.filter((finding) => finding.scope === scope).map(({ level }) => level);
    // A shared version must be raised for any change.
    const required = strictest(rules.singleVersion ? findings.map(({ level }) => level) : levels);
    const [from, to] = [base, revised].map((document) => versionOf(document, scope, rules)) as [unknown, unknown];
    const error =
      rules.failOn !== undefined
        ? levelError(required, rules.failOn)
        : versionError(required, parseVersion(from), parseVersion(to), from, to, scope, base, revised);
    if (error !== undefined) errors.push(`${scopeLabels[scope]} ${error}`);
    else if (rules.failOn === undefined)
      notices.push(
        ...noticeOf(required, parseVersion(from), parseVersion(to)).map((text) => `${scopeLabels[scope]} ${text}`),
      );
    return { required, from: formatVersion(from), to: formatVersion(to), ok: error === undefined };
  };
  return {
    verdicts: { interface: evaluateScope('interface'), webhook_payload: evaluateScope('webhook_payload') },
    faults: [...new Set(errors)],
    notices,
  };
}

const versionOf = (document: ContractDocument, scope: Scope, { singleVersion }: VersionRules): unknown => {
  const { info } = document.root;
  if (scope === 'interface' || singleVersion) return isObject(info) ? info.version : undefined;
  return payloadVersion(document);
};

const payloadVersion = ({ root: { info } }: ContractDocument): unknown =>
  isObject(info) ? info['x-webhook-payload-version'] : undefined;

const formatVersion = (version: unknown): string | null => (version === undefined ? null : String(version));

/** Why a version is insufficient, as the end of a sentence; undefined if it is fine. */
function versionError(
  required: Level,
  from: Version | undefined,
  to: Version | undefined,
  written: unknown,
  rewritten: unknown,
  scope: Scope,
  base: ContractDocument,
  revised: ContractDocument,
): string | undefined {
  if (required === 'error') return forbidden;
  if (scope === 'webhook_payload') {
    // Without webhooks no payload version is needed; it starts with the first webhook.
    if (webhooksOf(revised).length > 0 && !to) return 'has no semantic version: set `info.x-webhook-payload-version`.';
    if (webhooksOf(base).length > 0 && !from) return 'had no semantic version in the base document.';
    if (required === 'undecided') return undecided;
    if (!to) return required === 'none' ? undefined : `needs a ${required} bump, but no longer has a version.`;
    if (!from) return undefined;
  }
  if (!from || !to) return `has no semantic version (${formatVersion(written)} to ${formatVersion(rewritten)}).`;
  if (compareVersions(to, from) < 0) return `goes back from ${String(written)} to ${String(rewritten)}.`;
  const bump = bumpBetween(from, to);
  if (required === 'undecided') return undecided;
  if (isAtLeast(bump, required)) return undefined;
  const stays = bump === 'none' ? `stays ${String(written)}` : `goes from ${String(written)} to ${String(rewritten)}`;
  return `needs a ${required} bump, but ${stays}.`;
}

const forbidden = 'has changes that the policy forbids in any version.';
const undecided = 'has changed descriptions that nobody has decided on.';

function levelError(required: Level, failOn: Level): string | undefined {
  if (required === 'error') return forbidden;
  if (!isAtLeast(required, failOn)) return undefined;
  return required === 'undecided' ? undecided : `has ${required} changes; the check fails on ${failOn} changes.`;
}

function noticeOf(required: Level, from: Version | undefined, to: Version | undefined): string[] {
  if (!from || !to) return [];
  const bump = bumpBetween(from, to);
  if (isAtLeast(required, bump)) return [];
  return [
    `is raised by a ${bump} version, although ${required === 'none' ? 'no version' : `a ${required} version`} is required.`,
  ];
}
