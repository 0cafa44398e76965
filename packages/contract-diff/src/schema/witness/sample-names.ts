// Sample property names: declared ones, some that match patterns, and some undeclared ones.

import { compilePattern } from '../location.ts';
import { namedSchemas } from '../normal-form/merge.ts';
import { resolveSchema } from '../normal-form/normalize.ts';
import { someStrings } from '../patterns.ts';
import type { NormalSchema } from '../types.ts';
import { sampleStrings } from './sample-scalars.ts';

export function namesOf(schema: NormalSchema): string[] {
  const patternNames = [...schema.patternProperties.keys()].flatMap((pattern) =>
    someStrings({ patterns: [pattern] }, 3),
  );
  const names = schema.propertyNames && resolveSchema(schema.propertyNames);
  const constrainedNames = names ? stringsOf({ ...names, types: new Set(['string']) }) : [];
  const all = [...new Set([...schema.properties.keys(), ...patternNames, ...constrainedNames, ...freshNames])];
  return all.filter((name) => {
    const [nameSchema] = namedSchemas(schema, name);
    return nameSchema?.schema !== false && (!names || allowsName(names, name));
  });
}

/** Names unlikely to be declared in any contract. */
const freshNames = ['zz-extra', 'zz-other', 'zz-third', 'zz-fourth'];

function allowsName(names: NormalSchema, name: string): boolean {
  if (names.enum) return names.enum.includes(name);
  const length = [...name].length;
  const fits = length >= (names.minLength ?? 0) && length <= (names.maxLength ?? Infinity);
  return fits && names.patterns.every((pattern) => compilePattern(pattern)?.test(name) ?? true);
}

function stringsOf(schema: NormalSchema): string[] {
  return (schema.enum ?? sampleStrings(schema)).filter((value): value is string => typeof value === 'string');
}
