/** PATCH (RFC 7644, section 3.5.2), in the dialects of Okta and Entra ID. scim-patch implements the grammar. */
import { InvalidScimPatchOp, ScimError, type ScimPatchOperation, type ScimResource, scimPatch } from 'scim-patch';
import {
  type Attributes,
  canonicalAttributes,
  canonicalMember,
  canonicalPath,
  isObject,
  lists,
  schemas,
} from './attributes.ts';
import { ScimProblem, type ScimType } from './scim-problem.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: unknown;
}

const message = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const maxOperations = 200;
/** Attributes that the service controls (RFC 7643, section 7). */
const readOnly = new Set(['id', 'meta', 'groups', 'schemas']);

/** @returns the normalized operations @throws 400 */
export function readPatch(body: Attributes): PatchOperation[] {
  const entry = (name: string) => Object.entries(body).find(([key]) => key.toLowerCase() === name)?.[1];
  const sent = entry('operations');
  const isPatch = [entry('schemas')].flat().some((urn) => String(urn).toLowerCase() === message.toLowerCase());
  if (!isPatch) throw new ScimProblem(400, 'invalidSyntax', `schemas must be ["${message}"].`);
  if (!Array.isArray(sent) || sent.length === 0) {
    throw new ScimProblem(400, 'invalidSyntax', 'Operations must be a list of at least one operation.');
  }
  const operations = sent.flatMap(readOperation);
  if (operations.length > maxOperations) {
    throw new ScimProblem(400, 'invalidSyntax', `A PATCH can have at most ${maxOperations} operations.`);
  }
  return operations.map(checkedOperation);
}

/** Without a path, names in the value may be paths with filters, such as `emails[type eq "work"].value`. */
function readOperation(sent: unknown): PatchInput[] {
  const input: PatchInput = isObject(sent) ? sent : {};
  if (input.path || !isObject(input.value) || /^remove$/i.test(String(input.op))) return [input];
  const [filtered, plain] = [true, false].map((isFiltered) =>
    Object.entries(input.value as Attributes).filter(([name]) => name.includes('[') === isFiltered),
  );
  if (filtered!.length === 0) return [input];
  const paths = filtered!.map(([path, value]) => ({ op: input.op, path, value }));
  return plain!.length === 0 ? paths : [{ ...input, value: Object.fromEntries(plain!) }, ...paths];
}

interface PatchInput {
  op?: unknown;
  path?: unknown;
  value?: unknown;
}

function checkedOperation(input: PatchInput): PatchOperation {
  const op = String(input.op).toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw new ScimProblem(400, 'invalidSyntax', 'op must be add, replace, or remove.');
  }
  const { path: sentPath = undefined } = input;
  if (sentPath !== undefined && sentPath !== null && typeof sentPath !== 'string') {
    throw new ScimProblem(400, 'invalidPath', 'path must be a string.');
  }
  const path = sentPath ? canonicalPath(sentPath) : undefined;
  if (op === 'remove' && !path) throw new ScimProblem(400, 'noTarget', 'A remove needs a path.');
  if (op !== 'remove' && input.value === undefined)
    throw new ScimProblem(400, 'invalidValue', `An ${op} needs a value.`);
  if (op !== 'remove' && !path && !isObject(input.value)) {
    throw new ScimProblem(400, 'invalidValue', 'Without a path, the value must be an object.');
  }
  const first = /^[A-Za-z]+/.exec(path ?? '')?.[0] ?? '';
  if (readOnly.has(first) && !path!.startsWith('urn:'))
    throw new ScimProblem(400, 'mutability', `${first} can't be changed.`);
  return { op, path, value: input.value };
}

/** @returns the resulting attributes, normalized @throws 400 */
export function applyPatch(attributes: Attributes, operations: readonly PatchOperation[]): Attributes {
  const resource = structuredClone(attributes);
  try {
    for (const operation of operations) {
      const rest = patchExtensions(resource, operation);
      if (rest) scimPatch(resource as unknown as ScimResource, [patchOf(rest)]);
    }
    const after = canonicalAttributes(resource);
    for (const name of lists) if (name in after) after[name] = withOnePrimary(after[name], attributes[name]);
    return after;
  } catch (error) {
    if (error instanceof ScimProblem) throw error;
    if (error instanceof InvalidScimPatchOp) throw new ScimProblem(400, 'invalidPath', 'A path is malformed.', error);
    const scimType = error instanceof ScimError ? (error.scimCode as ScimType) : 'invalidPath';
    throw new ScimProblem(400, scimType, "The PATCH can't be applied: no value matches a path.", error);
  }
}

/** A new primary value replaces the previous one (RFC 7644, section 3.5.2). */
function withOnePrimary(list: unknown, before: unknown): unknown {
  const primaries = (values: unknown) => (Array.isArray(values) ? values.filter(isPrimary) : []);
  const earlier = primaries(before).map(({ value }) => value);
  const added = primaries(list).filter(({ value }) => !earlier.includes(value));
  if (added.length === 0 || primaries(list).length < 2) return list;
  return (list as unknown[]).map((each) =>
    isPrimary(each) && each !== added.at(-1) ? { ...each, primary: false } : each,
  );
}

const isPrimary = (item: unknown): item is Attributes => isObject(item) && item.primary === true;

/** A whole extension by its URN, which the library would split at its last colon. */
const extension = /^urn:.+:\d+\.\d+:\w+$/i;

/** Applies the parts that concern whole extensions. @returns the rest of the operation, if any */
function patchExtensions(resource: Attributes, { op, path, value }: PatchOperation): PatchOperation | undefined {
  if (path !== undefined) {
    if (!extension.test(path)) return { op, path, value };
    if (op === 'remove' || isEmptyValue(value)) delete resource[path];
    else addExtension(resource, path, value);
    return undefined;
  }
  const entries = Object.entries(value as Attributes);
  const isExtension = ([name, inner]: [string, unknown]) => extension.test(name) && isObject(inner);
  for (const [name, inner] of entries.filter(isExtension)) addExtension(resource, canonicalPath(name), inner);
  const rest = entries.filter((entry) => !isExtension(entry));
  return rest.length > 0 ? { op, path, value: Object.fromEntries(rest) } : undefined;
}

function addExtension(resource: Attributes, urn: string, value: unknown): void {
  if (!isObject(value)) throw new ScimProblem(400, 'invalidValue', `${urn} must be an object.`);
  const before = isObject(resource[urn]) ? (resource[urn] as Attributes) : {};
  const { [urn]: added } = canonicalAttributes({ [urn]: value });
  resource[urn] = { ...before, ...(isObject(added) && added) };
}

function patchOf({ op, path, value }: PatchOperation): ScimPatchOperation {
  // An empty value removes the attribute.
  if (op === 'replace' && path && isEmptyValue(value)) return { op: 'remove', path } as ScimPatchOperation;
  const last = /[A-Za-z$]+$/.exec(path ?? '')?.[0] ?? '';
  const canonical = isObject(value) || Array.isArray(value) ? canonicalWhole(value) : canonicalMember(last, value);
  if (path !== `${schemas.enterprise}:manager`) return { op, path, value: canonical } as ScimPatchOperation;
  const [manager] = [canonical].flat(); // may be a plain id, or a list with one
  return { op, path, value: typeof manager === 'string' ? { value: manager } : manager } as ScimPatchOperation;
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Keeps null members as undefined, because they request a removal. */
function canonicalWhole(value: object): unknown {
  if (Array.isArray(value)) return value.map((each) => (isObject(each) ? canonicalAttributes(each) : each));
  const removals = Object.entries(value).filter(([, inner]) => isEmptyValue(inner));
  const removed = Object.fromEntries(removals.map(([name]) => [canonicalPath(name), undefined]));
  return { ...canonicalAttributes(value), ...removed };
}
