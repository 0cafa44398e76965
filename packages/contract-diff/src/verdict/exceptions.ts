// The file of accepted findings: which rule at which places, why, and until when.
import { SettingsFile } from '../load/settings-file.ts';
import { isDay } from '../model/days.ts';
import type { Finding } from '../model/findings.ts';
import { placeMatches } from '../model/glob.ts';
import { isList, isObject } from '../model/json.ts';
import { isRule } from '../policy/rules.ts';

/** One accepted kind of finding. */
export interface Exception {
  /** The rule of the finding, or `*` for any. */
  readonly rule: string;
  /** A glob of JSON pointers: `*` stands for anything within a key, `**` for anything at all. */
  readonly place: string;
  readonly reason: string;
  /** The last day it holds, as YYYY-MM-DD; without it, it holds for good. */
  readonly until?: string;
  readonly file: string;
  readonly line: number;
}

const members = ['rule', 'place', 'reason', 'until'];

/**
 * Reads a file of exceptions, a list of them:
 *
 *     - rule: property-removed
 *       place: /components/schemas/Person/properties/*
 *       reason: Nobody ever read them; agreed with all three clients.
 *       until: 2027-01-31
 *
 * @param file without it there are none
 * @throws CannotCompare when it is not there, or not as described: with line and column
 */
export function readExceptions(file: string | undefined): Exception[] {
  return file === undefined ? [] : exceptionsIn(SettingsFile.read(file));
}

/** The exceptions of a file that was read. */
function exceptionsIn(file: SettingsFile): Exception[] {
  // A file of nothing but comments.
  if (file.value === undefined || file.value === null) return [];
  if (!isList(file.value)) throw file.complaint([], 'this must be a list of exceptions.');
  return file.value.map((entry, index) => exceptionOf(entry, index, file));
}

function exceptionOf(entry: unknown, index: number, file: SettingsFile): Exception {
  if (!isObject(entry)) throw file.complaint([index], 'an exception has `rule`, `place` and `reason`.');
  const refuse = (key: string, message: string) => file.complaint([index, key], message);
  for (const key of Object.keys(entry))
    if (!members.includes(key)) throw refuse(key, `"${key}" is unknown here: use one of ${members.join(', ')}.`);
  const { rule, place, reason, until } = entry;
  if (typeof rule !== 'string' || (rule !== '*' && !isRule(rule)))
    throw refuse('rule', rule === undefined ? '`rule` is missing.' : `there is no rule ${JSON.stringify(rule)}.`);
  if (typeof place !== 'string' || !/^#?(\/|\*|$)/.test(place))
    throw refuse('place', '`place` must be a JSON pointer, as findings show it, perhaps with `*` and `**`.');
  if (typeof reason !== 'string' || reason.trim() === '') throw refuse('reason', '`reason` must say why.');
  if (until !== undefined && !isDay(until)) throw refuse('until', '`until` must be a day such as 2027-01-31.');
  const { line } = file.placeOf([index]);
  return { rule, place, reason, file: file.name, line, ...(until !== undefined && { until }) };
}

interface Applied {
  readonly findings: Finding[];
  readonly accepted: Finding[];
  readonly notices: string[];
}

/**
 * Takes out what is accepted.
 *
 * @param today as YYYY-MM-DD: what ended before it accepts nothing
 * @returns what still counts, what is accepted, and which exceptions ended or accept nothing any more
 */
export function applyExceptions(all: readonly Finding[], exceptions: readonly Exception[], today: string): Applied {
  const used = new Map<Exception, number>();
  const findings: Finding[] = [];
  const accepted: Finding[] = [];
  for (const finding of all) {
    const matching = finding.level === 'none' ? [] : exceptions.filter((one) => means(one, finding));
    for (const one of matching) used.set(one, (used.get(one) ?? 0) + 1);
    const holding = matching.find((one) => !ended(one, today));
    if (!holding) findings.push(finding);
    else {
      const { reason, until } = holding;
      accepted.push({ ...finding, accepted: { reason, ...(until !== undefined && { until }) } });
    }
  }
  const notices = exceptions.flatMap((one) => {
    const called = `${one.file}:${one.line}: the exception for ${one.rule} at ${one.place || '/'}`;
    const count = used.get(one) ?? 0;
    if (count === 0)
      return [`${called} accepts nothing${ended(one, today) ? `, and expired on ${one.until}` : ''}: remove it.`];
    return ended(one, today) ? [`${called} expired on ${one.until}, so its findings count again.`] : [];
  });
  return { findings, accepted, notices };
}

const means = ({ rule, place }: Exception, finding: Finding): boolean =>
  (rule === '*' || rule === finding.rule) && placeMatches(place, finding.pointer);

const ended = ({ until }: Exception, today: string): boolean => until !== undefined && until < today;

/** What to write into a file of exceptions, so that these findings are accepted: one entry for each rule and place. */
export function exceptionEntries(findings: readonly Finding[], reason: string, until: string | undefined): string[] {
  const entries = findings.map(({ rule, pointer }) => {
    // Stars of the place itself would be wildcards; as such they match themselves as well.
    const lines = [`- rule: ${rule}`, `  place: ${JSON.stringify(pointer)}`, `  reason: ${JSON.stringify(reason)}`];
    return [...lines, ...(until === undefined ? [] : [`  until: ${until}`]), ''].join('\n');
  });
  return [...new Set(entries)];
}
