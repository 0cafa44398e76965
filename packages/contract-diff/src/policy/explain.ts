// What a rule says, for `--explain`.
import { fileURLToPath } from 'node:url';
import { insteadOf, othersOf } from './advice.ts';
import type { Rule } from './rule.ts';
import { classOf, levelOf, type RuleId, rules } from './rules.ts';

/** The rule in some lines: title, levels, reason. */
export function explain(id: RuleId): string {
  const rule: Rule = rules[id];
  const [instead, others] = [insteadOf(id), othersOf(id)];
  return [
    `${id}: ${rule.title}`,
    `${describeLevels(id)}\n${describeClasses(id)}`,
    rule.why,
    ...(instead === undefined ? [] : [`Without a break: ${instead}`]),
    ...(others === undefined ? [] : [`Others choose differently: ${others}`]),
    `With an example: ${pageOf(id)}\n`,
  ].join('\n\n');
}

/** What the rule asks for, in words. */
export function describeLevels(id: RuleId): string {
  const [accept, emit] = [levelOf(id, 'accept'), levelOf(id, 'emit')];
  if (accept === emit) return `Level: ${accept}`;
  return `Level: ${accept} in what the service accepts (requests, answers to webhooks), ${emit} in what it emits (answers, webhooks)`;
}

/** What its findings are about, in words. */
export function describeClasses(id: RuleId): string {
  const [accept, emit] = [classOf(id, 'accept'), classOf(id, 'emit')];
  return accept === emit
    ? `Class: ${accept}`
    : `Class: ${accept} in what the service accepts, ${emit} in what it emits`;
}

/** The file of its page, which comes with the package: `rules/` stands beside the code, compiled or not. */
const pageOf = (id: RuleId): string => fileURLToPath(new URL(`../../rules/${id}.md`, import.meta.url));
