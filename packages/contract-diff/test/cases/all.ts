// All cases, for tests, rule pages, and comparisons with other tools.
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
import { extensibleEnums } from './schemas/extensible-enums.ts';
import { formats } from './schemas/formats.ts';
import { limits } from './schemas/limits.ts';
import { nulls } from './schemas/nulls.ts';
import { properties } from './schemas/properties.ts';
import { requiredProperties } from './schemas/required-properties.ts';
import { serializedValues } from './schemas/serialized-values.ts';
import { values } from './schemas/values.ts';
import { security } from './security.ts';
import { semantics } from './semantics.ts';
import { servers } from './servers.ts';
import { unused } from './unused.ts';
import { webhooks } from './webhooks.ts';

export const cases: readonly Case[] = [
  ...operations,
  ...servers,
  ...parameters,
  ...serializedValues,
  ...bodies,
  ...responseCases,
  ...security,
  ...access,
  ...properties,
  ...requiredProperties,
  ...values,
  ...nulls,
  ...extensibleEnums,
  ...limits,
  ...alternatives,
  ...formats,
  ...semantics,
  ...discriminators,
  ...descriptions,
  ...unused,
  ...ineffectiveEditCases,
  ...webhooks,
  ...lifecycle,
];
