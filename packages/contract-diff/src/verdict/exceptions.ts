// The exceptions file: accepted findings by rule and location, with reason and end date.
import { SettingsFile } from '../load/settings-file.ts';
import { isDay } from '../model/days.ts';
import type { Finding } from '../model/findings.ts';
import { globMatches } from '../model/glob.ts';
import { isList, isObject } from '../model/json.ts';
import { isRule } from '../policy/rules.ts';

export interface Exception {
  /** Rule id, or `*` for any. */
  readonly rule: string;
  /** A glob of JSON pointers: `*` matches within a key, `**` matches anything. */
  readonly place: string;
  readonly reason: string;
  /** Last valid day, as YYYY-MM-DD; default: no end. */
  readonly until?: string;
  readonly file: string;
  readonly line: number;
}

const members = ['rule', 'place', 'reason', 'until'];

/**
 * Reads an exceptions file, a list:
 *
 *     - rule: property-removed
 *       place: /components/schemas/Person/properties/*
 *       reason: Nobody ever read them; agreed with all three clients.
 *       until: 2027-01-31
 *
 * @param file default: no exceptions
 * @throws CannotCompare when it is missing or invalid, with line and column
 */
export function readExceptions(file: string | undefined): Exception[] {
  return file === undefined ? [] : exceptionsIn(SettingsFile.read(file));
}

function exceptionsIn(file: SettingsFile): Exception[] {
  // A file with only comments.
  if (file.value === undefined || file.value === null) return [];
  if (!isList(file.value)) throw file.errorAt([], 'this must be a list of exceptions.');
  return file.value.map((entry, index) => exceptionOf(entry, index, file));
}

function exceptionOf(entry: unknown, index: number, file: SettingsFile): Exception {
  if (!isObject(entry)) throw file.errorAt([index], 'an exception has `rule`, `place` and `reason`.');
  const errorFor = (key: string, message: string) => file.errorAt([index, key], message);
  for (const key of Object.keys(entry))
    if (!members.includes(key)) throw errorFor(key, `"${key}" is unknown here: use one of ${members.join(', ')}.`);
  const { rule, place, reason, until } = entry;
  if (typeof rule !== 'string' || (rule !== '*' && !isRule(rule)))
    throw errorFor('rule', rule === undefined ? '`rule` is missing.' : `there is no rule ${JSON.stringify(rule)}.`);
  if (typeof place !== 'string' || !/^#?(\/|\*|$)/.test(place))
    throw errorFor('place', '`place` must be a JSON pointer, as findings show it, perhaps with `*` and `**`.');
  if (typeof reason !== 'string' || reason.trim() === '') throw errorFor('reason', '`reason` must say why.');
  if (until !== undefined && !isDay(until)) throw errorFor('until', '`until` must be a day such as 2027-01-31.');
  const { line } = file.positionOf([index]);
  return { rule, place, reason, file: file.name, line, ...(until !== undefined && { until }) };
}

interface Applied {
  readonly findings: Finding[];
  readonly accepted: Finding[];
  readonly notices: string[];
}

/**
 * Separates accepted findings.
 * @param today as YYYY-MM-DD; exceptions that ended earlier are ignored
 * @returns remaining findings, accepted findings, and expired or unused exceptions
 */
export function applyExceptions(all: readonly Finding[], exceptions: readonly Exception[], today: string): Applied {
  const used = new Map<Exception, number>();
  const findings: Finding[] = [];
  const accepted: Finding[] = [];
  for (const finding of all) {
    const matching = finding.level === 'none' ? [] : exceptions.filter((one) => appliesTo(one, finding));
    for (const one of matching) used.set(one, (used.get(one) ?? 0) + 1);
    const activeException = matching.find((one) => !isExpired(one, today));
    if (!activeException) findings.push(finding);
    else {
      const { reason, until } = activeException;
      accepted.push({ ...finding, accepted: { reason, ...(until !== undefined && { until }) } });
    }
  }
  const notices = exceptions.flatMap((one) => {
    const label = `${one.file}:${one.line}: the exception for ${one.rule} at ${one.place || '/'}`;
    const count = used.get(one) ?? 0;
    if (count === 0)
      return [`${label} accepts nothing${isExpired(one, today) ? `, and expired on ${one.until}` : ''}: remove it.`];
    return isExpired(one, today) ? [`${label} expired on ${one.until}, so its findings count again.`] : [];
  });
  return { findings, accepted, notices };
}

const appliesTo = ({ rule, place }: Exception, finding: Finding): boolean =>
  (rule === '*' || rule === finding.rule) && globMatches(place, finding.pointer);

const isExpired = ({ until }: Exception, today: string): boolean => until !== undefined && until < today;

/** Exception entries for these findings: one per rule and location. */
export function exceptionEntries(findings: readonly Finding[], reason: string, until: string | undefined): string[] {
  const entries = findings.map(({ rule, pointer }) => {
    // A literal `*` in a location acts as a wildcard, which matches itself as well.
    const lines = [`- rule: ${rule}`, `  place: ${JSON.stringify(pointer)}`, `  reason: ${JSON.stringify(reason)}`];
    return [...lines, ...(until === undefined ? [] : [`  until: ${until}`]), ''].join('\n');
  });
  return [...new Set(entries)];
}
