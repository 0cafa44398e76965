/** `attributes` and `excludedAttributes` (RFC 7644, section 3.9): which members of a resource are returned. */
import { type Attributes, canonicalPath, isObject, schemas } from '../../product/directories/attributes.ts';
import type { ScimResource } from '../../product/directories/scim-resource.ts';

interface Projection {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

const alwaysReturned = new Set(['schemas', 'id']);

export function project(resource: ScimResource, { attributes, excludedAttributes }: Projection): Attributes {
  if (attributes) {
    const result: Attributes = {};
    for (const name of alwaysReturned) result[name] = resource[name];
    for (const path of pathsOf(attributes)) copy(resource, result, path);
    return result;
  }
  if (!excludedAttributes) return resource;
  const result = structuredClone(resource) as Attributes;
  for (const path of pathsOf(excludedAttributes)) if (!alwaysReturned.has(path[0]!)) exclude(result, path);
  return result;
}

export function includesMembers({ attributes, excludedAttributes }: Projection): boolean {
  const names = (list: string) => pathsOf(list).map(([first]) => first);
  if (attributes) return names(attributes).includes('members');
  return !excludedAttributes || !names(excludedAttributes).includes('members');
}

function pathsOf(list: string): string[][] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map(pathOf);
}

function pathOf(name: string): string[] {
  const path = canonicalPath(name);
  const extension = /^(urn:.+?:2\.0:[^:.]+)(?::(.+))?$/i.exec(path);
  if (!extension) return path.split('.');
  const [, urn = '', rest] = extension;
  const isCore = urn === schemas.user || urn === schemas.group;
  return [...(isCore ? [] : [urn]), ...(rest?.split('.') ?? [])];
}

function copy(from: Attributes, to: Attributes, [name, ...rest]: string[]): void {
  if (name === undefined || !Object.hasOwn(from, name)) return;
  const value = from[name];
  if (rest.length === 0) {
    to[name] = value;
  } else if (Array.isArray(value)) {
    const before = Array.isArray(to[name]) ? (to[name] as Attributes[]) : value.map(() => ({}));
    value.forEach((item, at) => {
      if (isObject(item)) copy(item, before[at]!, rest);
    });
    to[name] = before;
  } else if (isObject(value)) {
    const inner = isObject(to[name]) ? (to[name] as Attributes) : {};
    copy(value, inner, rest);
    to[name] = inner;
  }
}

function exclude(from: Attributes, [name, ...rest]: string[]): void {
  if (name === undefined || !Object.hasOwn(from, name)) return;
  if (rest.length === 0) delete from[name];
  else for (const item of [from[name]].flat()) if (isObject(item)) exclude(item, rest);
}
