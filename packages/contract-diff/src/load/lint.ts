// What must hold before two documents can be compared at all: each is a valid OpenAPI 3.0 or 3.1 document.
import { isList, isObject, segment } from '../model/json.ts';
import { parseVersion } from '../model/semver.ts';
import { type Content, contentOf, grammar, type Kind, objectsIn } from './grammar.ts';

/** A message names the first faults only: who ships a wrong document needs a linter, not us. */
const most = 10;

/**
 * Why a document can't be compared: empty when it can.
 *
 * @param needsVersion whether `info.version` must be a semantic version
 */
export function faultsOf(root: unknown, needsVersion: boolean): string[] {
  if (!isObject(root)) return ['it is not an object'];
  if (typeof root.openapi !== 'string') return ['it has no `openapi` version'];
  if (!/^3\.[01]\.\d+(-[\w.]+)?$/.test(root.openapi))
    return [`its OpenAPI version is ${root.openapi}; 3.0 and 3.1 can be compared`];
  const faults: string[] = [];
  checkObject('root', root, '', faults, new Set());
  checkVersion(root, needsVersion, faults);
  if (root.openapi.startsWith('3.0') && root.paths === undefined) faults.push('it has no `paths`');
  if (
    root.openapi.startsWith('3.1') &&
    [root.paths, root.components, root.webhooks].every((part) => part === undefined)
  )
    faults.push('it has none of `paths`, `webhooks` and `components`');
  if (faults.length > most) faults.splice(most, Infinity, `and ${faults.length - most} more`);
  return faults;
}

function checkVersion(root: Readonly<Record<string, unknown>>, needsVersion: boolean, faults: string[]): void {
  if (!isObject(root.info)) return;
  const { version } = root.info;
  if (version === undefined) faults.push('`info.version` is missing');
  else if (needsVersion && parseVersion(version) === undefined)
    faults.push(`\`info.version\` is ${JSON.stringify(version)}, which is not a semantic version such as 1.4.0`);
}

function checkObject(kind: Kind, node: unknown, pointer: string, faults: string[], seen: Set<unknown>): void {
  if (faults.length > most * 2 || seen.has(node)) return;
  if (typeof node === 'object') seen.add(node);
  const shape = grammar[kind];
  if (!isObject(node)) {
    if (kind !== 'schema' || typeof node !== 'boolean') faults.push(`${pointer}: must be an object (${kind})`);
    return;
  }
  const referring = typeof node.$ref === 'string' && shape.section !== undefined;
  if (!referring)
    for (const name of shape.required ?? [])
      if (!Object.hasOwn(node, name)) faults.push(`${pointer === '' ? 'it' : pointer} has no \`${name}\``);
  if (kind === 'schema') checkKeywords(node, pointer, faults);
  for (const [name, value] of Object.entries(node)) {
    const inner = `${pointer}/${segment(name)}`;
    const content = contentOf(kind, name);
    if (content !== undefined) checkContent(content, value, inner, faults, seen);
    else if (kind !== 'schema' && !name.startsWith('x-') && !(referring && name === '$ref')) {
      if (referring && (name === 'summary' || name === 'description')) continue;
      const called = shape.others?.called;
      faults.push(`${inner}: \`${name}\` is not ${called ?? `a member of ${article(kind)}`}`);
    }
  }
}

function checkContent(content: Content, value: unknown, pointer: string, faults: string[], seen: Set<unknown>): void {
  if (content === 'any') return;
  if (typeof content === 'string') {
    if (!plain[content](value)) faults.push(`${pointer}: must be ${called[content]}`);
    return;
  }
  if ('one' in content) checkObject(content.one, value, pointer, faults, seen);
  else if ('list' in content ? !isList(value) : !isObject(value))
    faults.push(`${pointer}: must be ${'list' in content ? 'a list' : 'an object'}`);
  else {
    const found = new Set<string>();
    for (const [keys, kind, item] of objectsIn(content, value)) {
      checkObject(kind, item, `${pointer}/${keys.map(segment).join('/')}`, faults, seen);
      found.add(keys[0]!);
    }
    // What is no object at all was not walked.
    for (const [key, item] of Object.entries(value as object))
      if (!found.has(key))
        checkObject('map' in content ? content.map : content.list, item, `${pointer}/${segment(key)}`, faults, seen);
  }
}

const plain = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  strings: (value: unknown) => isList(value) && value.every((item) => typeof item === 'string'),
  stringMap: (value: unknown) => isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
};
const called = {
  string: 'a string',
  boolean: 'true or false',
  strings: 'a list of strings',
  stringMap: 'an object of strings',
};

const typeNames = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']);
const isType = (value: unknown) => typeof value === 'string' && typeNames.has(value);
const isNumber = (value: unknown) => typeof value === 'number';

/** The keywords of a schema whose wrong values would be misread as no rule at all. */
const keywords: Readonly<Record<string, readonly [test: (value: unknown) => boolean, called: string]>> = {
  type: [(value) => isType(value) || (isList(value) && value.every(isType)), 'the name of a type, or a list of them'],
  required: [plain.strings, 'a list of names'],
  enum: [isList, 'a list'],
  pattern: [plain.string, 'a string'],
  format: [plain.string, 'a string'],
  description: [plain.string, 'a string'],
  nullable: [plain.boolean, 'true or false'],
  readOnly: [plain.boolean, 'true or false'],
  writeOnly: [plain.boolean, 'true or false'],
  deprecated: [plain.boolean, 'true or false'],
  uniqueItems: [plain.boolean, 'true or false'],
  ...Object.fromEntries(
    [
      ...['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
      ...['minProperties', 'maxProperties', 'minContains', 'maxContains'],
    ].map((name) => [name, [isNumber, 'a number']] as const),
  ),
};

function checkKeywords(schema: Readonly<Record<string, unknown>>, pointer: string, faults: string[]): void {
  for (const [name, [test, expected]] of Object.entries(keywords))
    if (Object.hasOwn(schema, name) && !test(schema[name])) faults.push(`${pointer}/${name}: must be ${expected}`);
}

const article = (kind: Kind): string => {
  const words = kind === 'root' ? 'OpenAPI document' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${/^[aeiouO]/.test(words) ? 'an' : 'a'} ${words}`;
};
