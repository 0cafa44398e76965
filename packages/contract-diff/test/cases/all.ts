// All cases: used by tests, rule pages, and comparisons with other tools.
import { access } from './access.ts';
import { alternatives } from './alternatives.ts';
import { answersCases } from './answers.ts';
import { bodies } from './bodies.ts';
import type { Case } from './case.ts';
import { descriptions } from './descriptions.ts';
import { discriminators } from './discriminators.ts';
import { extensibleLists } from './extensible-lists.ts';
import { formats } from './formats.ts';
import { lifecycle } from './lifecycle.ts';
import { limits } from './limits.ts';
import { meaning } from './meaning.ts';
import { nulls } from './nulls.ts';
import { operations } from './operations.ts';
import { parameters } from './parameters.ts';
import { properties } from './properties.ts';
import { security } from './security.ts';
import { servers } from './servers.ts';
import { unnoticedCases } from './unnoticed.ts';
import { unused } from './unused.ts';
import { values } from './values.ts';
import { webhooks } from './webhooks.ts';
import { wireTexts } from './wire-texts.ts';

export const cases: readonly Case[] = [
  ...operations,
  ...servers,
  ...parameters,
  ...wireTexts,
  ...bodies,
  ...answersCases,
  ...security,
  ...access,
  ...properties,
  ...values,
  ...nulls,
  ...extensibleLists,
  ...limits,
  ...alternatives,
  ...formats,
  ...meaning,
  ...discriminators,
  ...descriptions,
  ...unused,
  ...unnoticedCases,
  ...webhooks,
  ...lifecycle,
];
