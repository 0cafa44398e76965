// Redocly plugin with the project's own rules, all at level error. redocly.yaml loads it.

import { fieldAccess, operationAccess } from './access.ts';
import { bounds } from './bounds.ts';
import { clearable } from './clearable.ts';
import { errorResponses } from './error-responses.ts';
import { bodyExamples, parameterExamples } from './examples.ts';
import { idempotencyKey } from './idempotency.ts';
import { closedRequests, openResponses } from './object-openness.ts';
import { oneTag } from './one-tag.ts';
import { operationId } from './operation-id.ts';
import { operationProse } from './operation-prose.ts';
import { refSiblings } from './ref-siblings.ts';
import { operationResource } from './resource.ts';
import { usedScopes } from './scopes.ts';
import { numberFormats, plainHeaders } from './sdk-formats.ts';
import { namedSchemas, plainNames, uniqueComponents } from './sdk-names.ts';
import { inlineWebhooks, namedBodies, oneShape, plainSchemas } from './sdk-shapes.ts';
import type { Rule } from './types.ts';

export const rules = {
  'operation-id': operationId,
  'one-tag': oneTag,
  'operation-prose': operationProse,
  'error-responses': errorResponses,
  'idempotency-key': idempotencyKey,
  'body-examples': bodyExamples,
  'parameter-examples': parameterExamples,
  bounds,
  'closed-requests': closedRequests,
  'open-responses': openResponses,
  'ref-siblings': refSiblings,
  'operation-access': operationAccess,
  'operation-resource': operationResource,
  'field-access': fieldAccess,
  clearable,
  'declared-scopes': usedScopes,
  'named-bodies': namedBodies,
  'named-schemas': namedSchemas,
  'unique-components': uniqueComponents,
  'plain-names': plainNames,
  'number-formats': numberFormats,
  'plain-headers': plainHeaders,
  'plain-schemas': plainSchemas,
  'one-shape': oneShape,
  'inline-webhooks': inlineWebhooks,
} satisfies Record<string, Rule>;

/** @public Loaded by Redocly, through redocly.yaml. */
export default function contractPlugin() {
  const every = Object.keys(rules).map((name) => [`contract/${name}`, 'error']);
  return { id: 'contract', rules: { oas3: rules }, configs: { all: { rules: Object.fromEntries(every) } } };
}
