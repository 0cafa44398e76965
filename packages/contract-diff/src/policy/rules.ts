// The policy: the version bump each rule requires, and why. Detection (compare/) only identifies rules; these tables, one per
// part of a contract, define severity. The pages in `rules/` are generated from them.
import type { FindingClass, Level } from '../model/findings.ts';
import { bodies } from './bodies.ts';
import { operations } from './operations.ts';
import { parameters } from './parameters.ts';
import { properties } from './properties.ts';
import { responses } from './responses.ts';
import { inDirection, type Rule } from './rule.ts';
import { security } from './security.ts';
import { meaning } from './semantics.ts';
import { service } from './service-limits.ts';
import { values } from './values.ts';
import { webhooks } from './webhooks.ts';

export const rules = {
  ...operations,
  ...webhooks,
  ...parameters,
  ...bodies,
  ...responses,
  ...security,
  ...properties,
  ...values,
  ...meaning,
  ...service,
};

export type RuleId = keyof typeof rules;

export const isRule = (id: string): id is RuleId => Object.hasOwn(rules, id);

export function levelOf(id: RuleId, direction: 'accept' | 'emit'): Level {
  return inDirection((rules[id] as Rule).level, direction);
}

export function classOf(id: RuleId, direction: 'accept' | 'emit'): FindingClass {
  return inDirection((rules[id] as Rule).class, direction);
}
