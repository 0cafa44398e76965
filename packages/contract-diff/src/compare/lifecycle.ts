// Lifecycle: stability levels, internal parts, announced removals.

import type { Cursor } from '../load/document.ts';
import type { Operation } from '../load/operations.ts';
import { daysUntil, timeOf } from '../model/days.ts';
import { stabilityLevels } from '../model/stability.ts';
import type { RuleId } from '../policy/rules.ts';
import type { Comparison } from './comparison.ts';

export function stabilityRule(before: unknown, after: unknown): RuleId | undefined {
  const grade = (value: unknown) => {
    const index = stabilityLevels.indexOf(value as string);
    return index === -1 ? stabilityLevels.length - 1 : index;
  };
  if (grade(before) === grade(after)) return undefined;
  return grade(after) < grade(before) ? 'stability-lowered' : 'stability-raised';
}

export function internalRule(before: unknown, after: unknown): RuleId | undefined {
  if ((before === true) === (after === true)) return undefined;
  return after === true ? 'became-internal' : 'became-public';
}

export function sunsetRule(comparison: Comparison, before: unknown, after: unknown): RuleId | undefined {
  const [old, now] = [timeOf(before), timeOf(after)];
  if (after === undefined) return 'sunset-withdrawn';
  if (now === undefined) return 'sunset-unreadable';
  if (old === now) return undefined;
  if (old !== undefined && now < old) return 'sunset-earlier';
  const { graceDays } = comparison.policy;
  if (graceDays > 0 && daysUntil(now, comparison.day) < graceDays) return 'sunset-too-soon';
  return old === undefined ? 'sunset-announced' : 'sunset-later';
}

/** Whether an operation carries no promise: it or its path is internal, or has an unstable level. */
export const isUnstable = ({ policy }: Comparison, { cursor, item }: Operation): boolean =>
  [cursor, item].some((node) => node.get('x-internal') === true) ||
  !policy.isStable(cursor.get('x-stability-level') ?? item.get('x-stability-level'));

/** Classifies a removal, by deprecation and announced sunset date. */
export function removal(comparison: Comparison, rule: RuleId, removed: Cursor): { rule: RuleId; text: string } {
  const end = removed.get('x-sunset');
  const time = timeOf(end);
  if (time === undefined) return { rule, text: 'was removed' };
  if (daysUntil(time, comparison.day) > 0) return { rule, text: `was removed before its sunset date (${String(end)})` };
  return removed.get('deprecated') === true
    ? { rule: 'removed-after-sunset', text: `was removed after its sunset date (${String(end)})` }
    : { rule, text: `was removed after its sunset date (${String(end)}), but was never deprecated` };
}
