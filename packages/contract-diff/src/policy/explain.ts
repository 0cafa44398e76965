// Describes a rule, for `--explain`.
import { fileURLToPath } from 'node:url';
import { mitigationOf, otherChoicesOf } from './advice.ts';
import type { Rule } from './rule.ts';
import { classOf, levelOf, type RuleId, rules } from './rules.ts';

export function explain(id: RuleId): string {
  const rule: Rule = rules[id];
  const [mitigation, others] = [mitigationOf(id), otherChoicesOf(id)];
  return [
    `${id}: ${rule.title}`,
    `${describeLevels(id)}\n${describeClasses(id)}`,
    rule.reason,
    ...(mitigation === undefined ? [] : [`To avoid the break: ${mitigation}`]),
    ...(others === undefined ? [] : [`Other choices: ${others}`]),
    `Example: ${pageOf(id)}\n`,
  ].join('\n\n');
}

export function describeLevels(id: RuleId): string {
  const [accept, emit] = [levelOf(id, 'accept'), levelOf(id, 'emit')];
  if (accept === emit) return `Level: ${accept}`;
  return `Level: ${accept} in requests and webhook responses, ${emit} in responses and webhook payloads`;
}

export function describeClasses(id: RuleId): string {
  const [accept, emit] = [classOf(id, 'accept'), classOf(id, 'emit')];
  return accept === emit
    ? `Class: ${accept}`
    : `Class: ${accept} in requests and webhook responses, ${emit} in responses and webhook payloads`;
}

/** The rule's page in the package: `rules/` is beside both source and compiled code. */
const pageOf = (id: RuleId): string => fileURLToPath(new URL(`../../rules/${id}.md`, import.meta.url));
