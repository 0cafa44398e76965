// Sample objects: the smallest, the fullest, and variations of each property.

import { propertyOf } from '../subset/rules-objects.ts';
import type { NormalSchema, Sampler } from '../types.ts';
import { namesOf } from './sample-names.ts';

/** Lazily, because a schema with many properties has hundreds of samples. @param brief only the simplest */
export function* sampleObjects(
  schema: NormalSchema,
  brief: boolean,
  { samples, plain }: Sampler,
): Generator<Readonly<Record<string, unknown>>> {
  const first = (name: string) => plain(propertyOf(schema, name))[0];
  const make = (names: Iterable<string>) => {
    const object: Record<string, unknown> = {};
    for (const name of names) {
      const value = first(name);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
  const required = withDependents(schema, schema.required);
  for (const name of namesOf(schema)) {
    if (required.size >= (schema.minProperties ?? 0)) break;
    required.add(name);
  }
  const smallest = make(required);
  if (Object.keys(smallest).length < required.size) return;
  const maxCount = schema.maxProperties ?? Number.POSITIVE_INFINITY;
  const fullest = make([...new Set([...required, ...schema.properties.keys()])].slice(0, maxCount));
  yield smallest;
  yield fullest;
  if (brief) return;
  const hasRoom = (object: object) => Object.keys(object).length < maxCount;
  const extra = namesOf(schema).find((name) => !schema.properties.has(name) && !required.has(name));
  const extraValue = extra === undefined ? undefined : first(extra);
  if (extra !== undefined && extraValue !== undefined) {
    for (const object of [smallest, fullest]) if (hasRoom(object)) yield { ...object, [extra]: extraValue };
  }
  for (const name of new Set([...required, ...schema.properties.keys()])) {
    const alone = make(withDependents(schema, [...required, name]));
    if (name in alone && !required.has(name) && hasRoom(smallest)) yield alone;
    if (name in fullest && !schema.required.has(name)) {
      const { [name]: _, ...without } = fullest;
      yield without;
    }
    if (name in fullest)
      for (const value of samples(propertyOf(schema, name)).slice(1, 6)) yield { ...fullest, [name]: value };
  }
}

function withDependents(schema: NormalSchema, names: Iterable<string>): Set<string> {
  const all = new Set(names);
  // Iterating a set includes names added meanwhile.
  for (const name of all) for (const other of schema.dependentRequired.get(name) ?? []) all.add(other);
  return all;
}
