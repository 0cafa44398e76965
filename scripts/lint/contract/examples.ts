// body-examples, parameter-examples: everything has a valid example. Readers copy them, and tests and docs use them.

import { compile, follow } from './schemas.ts';
import { type Context, isObject, type Location, type Visitor } from './types.ts';

type Exemplified = { schema?: unknown; example?: unknown; examples?: unknown };

export function bodyExamples(): Visitor {
  return { RequestBody: { MediaType: check }, Response: { MediaType: check } };
}

export function parameterExamples(): Visitor {
  return { Parameter: check, Header: check };
}

function check(node: Exemplified, context: Context): void {
  const found = examplesOf(node, context);
  if (found.length === 0) {
    const message = `Give "${context.key}" an example, with realistic people and values.`;
    context.report({ message, location: context.location.key() });
  }
  const errorsOf = compile(node.schema ?? true, context.location.child('schema'), context);
  for (const { value, location } of found) {
    for (const error of errorsOf(value)) {
      context.report({ message: `Fix the example or its schema: ${error}.`, location });
    }
  }
}

function examplesOf(node: Exemplified, context: Context): { value: unknown; location: Location }[] {
  const found = [];
  if (node.example !== undefined) found.push({ value: node.example, location: context.location.child('example') });
  if (isObject(node.examples)) {
    for (const [name, reference] of Object.entries(node.examples)) {
      const { node: example, location } = follow(reference, context.location.child(['examples', name]), context);
      if (isObject(example) && 'value' in example)
        found.push({ value: example.value, location: location.child('value') });
    }
  }
  return found;
}
