// All cases: used by tests, rule pages, and comparisons with other tools.
import { access } from './access.ts';
import { bodies } from './bodies.ts';
import type { Case } from './case.ts';
import { descriptions } from './descriptions.ts';
import { ineffectiveEditCases } from './ineffective-edits.ts';
import { lifecycle } from './lifecycle.ts';
import { operations } from './operations.ts';
import { parameters } from './parameters.ts';
import { responseCases } from './responses.ts';
import { alternatives } from './schemas/alternatives.ts';
import { discriminators } from './schemas/discriminators.ts';
import { extensibleLists } from './schemas/extensible-lists.ts';
import { formats } from './schemas/formats.ts';
import { limits } from './schemas/limits.ts';
import { nulls } from './schemas/nulls.ts';
import { properties } from './schemas/properties.ts';
import { values } from './schemas/values.ts';
import { wireTexts } from './schemas/wire-texts.ts';
import { security } from './security.ts';
import { meaning } from './semantics.ts';
import { servers } from './servers.ts';
import { unused } from './unused.ts';
import { webhooks } from './webhooks.ts';

export const cases: readonly Case[] = [
  ...operations,
  ...servers,
  ...parameters,
  ...wireTexts,
  ...bodies,
  ...responseCases,
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
  ...ineffectiveEditCases,
  ...webhooks,
  ...lifecycle,
];
