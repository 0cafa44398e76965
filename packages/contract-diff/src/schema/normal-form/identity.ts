// Assigns equal numbers to equal schemas, regardless of spelling and document.
//
// References may be circular, so this works like automaton minimization (partition refinement): all referenced schemas start in
// one class, and classes are split by content and by the classes of their references, until nothing changes.

import { visitNodes } from '../../model/json.ts';
import { follow } from '../location.ts';
import { Conjunction, Fragment, type SchemaDocument, type SchemaLocation } from '../types.ts';
import { isObject, type JsonObject, textOf } from '../values.ts';
import { unrestricted } from './normal.ts';

/** Assigns numbers to schemas. Needs all documents in advance, because of circular references. */
export interface Identity {
  of(location: SchemaLocation): number;
}

const singleSchemas = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
]);
const listsOfSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const mapsOfSchemas = new Set(['properties', 'patternProperties', 'dependentSchemas']);
// Order is insignificant.
const sets = new Set(['required', 'enum', 'type']);
const ignoredKeywords = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'xml',
  'discriminator',
  '$comment',
  // The loader has resolved references by these names.
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
]);

/** Cache by the first document's root. */
const identityCache = new WeakMap<object, { readonly roots: ReadonlySet<unknown>; readonly identity: Identity }[]>();

/**
 * Numbers for schemas of these documents, and for conjunctions and fragments of them. Cached per set of documents, because
 * computing them is expensive, and documents do not change during a comparison.
 */
export function identityOf(documents: readonly SchemaDocument[]): Identity {
  const roots = new Set(documents.map(({ root }) => root));
  const [first] = roots;
  if (!isObject(first)) return createIdentity(documents);
  for (const root of roots) {
    const known = isObject(root) ? identityCache.get(root) : undefined;
    const same = known?.find((one) => one.roots.size === roots.size && [...roots].every((each) => one.roots.has(each)));
    if (same) return same.identity;
  }
  const identity = createIdentity(documents);
  identityCache.set(first, [...(identityCache.get(first) ?? []), { roots, identity }]);
  return identity;
}

function createIdentity(documents: readonly SchemaDocument[]): Identity {
  const numbers = new Map<string, number>();
  const number = (text: string) => {
    const present = numbers.get(text);
    if (present !== undefined) return present;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  const classes = classify(documents);
  const numbersByDocument = new Map<unknown, WeakMap<object, number>>();

  function of({ document, schema }: SchemaLocation): number {
    if (typeof schema !== 'object' || schema === null) return number(String(schema));
    let ofDocument = numbersByDocument.get(document.root);
    if (!ofDocument) {
      ofDocument = new WeakMap();
      numbersByDocument.set(document.root, ofDocument);
    }
    const present = ofDocument.get(schema);
    if (present !== undefined) return present;
    const result = number(textOfSchema(document, schema));
    ofDocument.set(schema, result);
    return result;
  }

  function textOfSchema(document: SchemaDocument, schema: object): string {
    if (schema instanceof Conjunction) {
      const { properties, items } = schema.unevaluated;
      const members = [...new Set(schema.members.map(of))].sort((one, other) => one - other);
      return `and ${members.join()} ${properties ? of(properties) : ''} ${items ? of(items) : ''}`;
    }
    if (schema instanceof Fragment) return textOfFragment(schema);
    const own = classes.get(schema);
    if (own !== undefined) return `ref ${own}`;
    const child = (node: unknown) => String(of({ document, schema: node }));
    const ref = (to: string) => {
      const target = follow(document, to)?.location.schema;
      const known = isObject(target) ? classes.get(target) : undefined;
      return known === undefined ? `${textOf(target)} ${to}` : `ref ${known}`;
    };
    return textOfNode(schema as JsonObject, child, ref, (schemas) => schemas.sort());
  }

  function textOfFragment({ keywords }: Fragment): string {
    const parts = Object.entries(keywords).map(([keyword, value]) => {
      const same = value === undefined || value === unrestricted[keyword as keyof typeof unrestricted];
      return same ? '' : `${keyword}=${textOfPart(value)};`;
    });
    return `fragment ${parts.sort().join('')}`;
  }

  function textOfPart(value: unknown): string {
    if (value instanceof Map)
      return `{${[...value].map(([name, part]) => `${textOf(name)}:${textOfPart(part)}`).sort()}}`;
    if (value instanceof Set) return `(${[...value].sort()})`;
    if (Array.isArray(value)) return `[${value.map(textOfPart)}]`;
    if (!isObject(value)) return value === Number.POSITIVE_INFINITY ? 'infinite' : textOf(value);
    if ('document' in value && 'schema' in value) return `#${of(value as unknown as SchemaLocation)}`;
    return `{${Object.entries(value).map(([name, part]) => `${textOf(name)}:${textOfPart(part)}`)}}`;
  }

  return { of };
}

/** Canonical text of a node: `child` returns the text of a nested schema, `ref` that of a reference. */
function textOfNode(
  node: JsonObject,
  child: (schema: unknown) => string,
  ref: (ref: string) => string,
  order: (schemas: string[]) => string[],
): string {
  const canonical: string[] = [];
  for (const keyword of Object.keys(node).sort()) {
    const value = node[keyword];
    if (ignoredKeywords.has(keyword) || keyword.startsWith('x-')) continue;
    if (keyword === 'nullable' && value !== true) continue;
    if (keyword === '$ref' && typeof value === 'string') canonical.push(`$ref=${ref(value)}`);
    else if (keyword === 'const') canonical.push(`enum=[${textOf(value)}]`);
    else if (singleSchemas.has(keyword) && !Array.isArray(value)) canonical.push(`${keyword}=${child(value)}`);
    else if ((listsOfSchemas.has(keyword) || keyword === 'items') && Array.isArray(value)) {
      canonical.push(`${keyword}=[${order(value.map(child))}]`);
    } else if (mapsOfSchemas.has(keyword) && isObject(value)) {
      // Sort first: references are numbered in order of appearance.
      const members = Object.keys(value).sort();
      canonical.push(`${keyword}={${members.map((name) => `${textOf(name)}:${child(value[name])}`)}}`);
    } else if (keyword === 'type') canonical.push(`type=[${[value].flat().map(textOf).sort()}]`);
    else if (Array.isArray(value))
      canonical.push(`${keyword}=[${sets.has(keyword) ? value.map(textOf).sort() : value.map(textOf)}]`);
    else canonical.push(`${keyword}=${textOf(value)}`);
  }
  // A reference without siblings equals its target.
  const [first = ''] = canonical;
  if (canonical.length === 1 && first.startsWith('$ref=')) return first.slice('$ref='.length);
  // An unrestricted schema equals `true`, which may also be written as a boolean.
  return canonical.length === 0 ? 'true' : canonical.join(';');
}

/** Maps referenced nodes to their equivalence class. */
function classify(documents: readonly SchemaDocument[]): Map<object, number> {
  const targets = new Map<object, Skeleton>();
  const texts = new Map<string, number>();
  for (const document of documents) {
    for (const target of referenced(document)) targets.set(target, skeleton(document, target, texts));
  }
  let classes = new Map<object, number>([...targets.keys()].map((target) => [target, 0]));
  let count = 1;
  while (targets.size > 0) {
    const numbers = new Map<string, number>();
    const refined = new Map<object, number>();
    for (const [target, { text, refs }] of targets) {
      const signature = `${classes.get(target)} ${text} ${refs.map((one) => (typeof one === 'string' ? one : classes.get(one)))}`;
      if (!numbers.has(signature)) numbers.set(signature, numbers.size);
      refined.set(target, numbers.get(signature) as number);
    }
    classes = refined;
    if (numbers.size === count) return classes;
    count = numbers.size;
  }
  return classes;
}

/** Text of a referenced node without its references, and the references in text order. */
interface Skeleton {
  readonly text: number;
  readonly refs: readonly (object | string)[];
}

function skeleton(document: SchemaDocument, target: object, texts: Map<string, number>): Skeleton {
  const refs: (object | string)[] = [];
  const text = (schema: unknown): string => {
    if (!isObject(schema)) return String(schema);
    const child = (node: unknown) => `(${text(node)})`;
    const ref = (to: string) => {
      const node = follow(document, to)?.location.schema;
      refs.push(isObject(node) ? node : `${textOf(node)} ${to}`);
      return '@';
    };
    return textOfNode(schema, child, ref, (schemas) => schemas);
  };
  const canonical = text(target);
  if (!texts.has(canonical)) texts.set(canonical, texts.size);
  return { text: texts.get(canonical) as number, refs };
}

/** All objects that a document's references point to. */
function referenced(document: SchemaDocument): Set<object> {
  const refs = new Set<string>();
  visitNodes(document.root, (node) => {
    if (isObject(node) && typeof node.$ref === 'string') refs.add(node.$ref);
  });
  const targets = [...refs].map((ref) => follow(document, ref)?.location.schema);
  return new Set(targets.filter(isObject));
}
