// Checks a document against OpenAPI. Most violations are warnings; errors are those that would be misread or ignored.
import { isList, isObject, segment } from '../model/json.ts';
import { parseVersion } from '../model/semver.ts';
import { type Content, contentOf, grammar, type Kind } from './grammar.ts';
import { extensionFault } from './lint-extensions.ts';
import { checkKeywords } from './lint-schema.ts';

/** Errors shown in a message; beyond that, users need a linter. */
const mostFaults = 10;
const mostWarnings = 1_000;

export interface Oddity {
  readonly pointer: string;
  readonly text: string;
}

/** Without errors, the document can be compared. */
interface Lint {
  readonly faults: readonly Oddity[];
  readonly warnings: readonly Oddity[];
}

/**
 * Checks a document.
 * @param needsVersion whether `info.version` must be a semantic version
 * @param stabilityLevels additional levels of the policy
 */
export function lint(root: unknown, needsVersion: boolean, stabilityLevels: readonly string[] = []): Lint {
  const found: Found = { faults: [], warnings: [], seen: new Set(), stabilityLevels };
  if (!isObject(root)) return { ...found, faults: [{ pointer: '', text: 'it is not an object' }] };
  const version = versionFault(root);
  if (version !== undefined) return { ...found, faults: [{ pointer: '', text: version }] };
  checkObject('root', root, undefined, found);
  checkVersion(root, needsVersion, found);
  if ([root.paths, root.components, root.webhooks, root['x-webhooks']].every((part) => part === undefined))
    found.faults.push({ pointer: '', text: 'it has none of `paths`, `webhooks` and `components`' });
  const rest = found.faults.length - mostFaults;
  if (rest > 0) found.faults.splice(mostFaults, rest, { pointer: '', text: `and ${rest} more` });
  return found;
}

/** Why the OpenAPI version is unsupported; undefined if it is supported. */
function versionFault(root: Readonly<Record<string, unknown>>): string | undefined {
  const { openapi, swagger } = root;
  if (openapi === undefined && swagger !== undefined)
    return `its Swagger version is ${JSON.stringify(swagger)}; Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be compared`;
  if (openapi === undefined) return 'it has no `openapi` version';
  if (!/^3\.[012](\.\d+)?(-[\w.]+)?$/.test(String(openapi)))
    return `its OpenAPI version is ${JSON.stringify(openapi)}; 3.0, 3.1 and 3.2 can be compared`;
  return undefined;
}

interface Found {
  readonly faults: Oddity[];
  readonly warnings: Oddity[];
  readonly seen: Set<unknown>;
  readonly stabilityLevels: readonly string[];
}

/** Path to a node; its pointer is built only for a problem. */
interface Way {
  readonly above: Way | undefined;
  readonly key: string;
}

const pointerOf = (way: Way | undefined, key?: string): string =>
  (way === undefined ? '' : `${pointerOf(way.above)}/${segment(way.key)}`) +
  (key === undefined ? '' : `/${segment(key)}`);

function warn(found: Found, way: Way | undefined, text: string): void {
  if (found.warnings.length < mostWarnings) found.warnings.push({ pointer: pointerOf(way), text });
}

function checkVersion(root: Readonly<Record<string, unknown>>, needsVersion: boolean, found: Found): void {
  const list = needsVersion ? found.faults : found.warnings;
  const advice = needsVersion ? '; --fail-on compares without versions' : '';
  const version = isObject(root.info) ? root.info.version : undefined;
  if (root.info === undefined) list.push({ pointer: '', text: `it has no \`info\`${advice}` });
  else if (version === undefined) list.push({ pointer: '/info', text: `\`info.version\` is missing${advice}` });
  else if (parseVersion(version) === undefined) {
    const text = `\`info.version\` is ${JSON.stringify(version)}, which is not a semantic version such as 1.4.0${advice}`;
    list.push({ pointer: '/info/version', text });
  }
}

function checkObject(kind: Kind, node: unknown, way: Way | undefined, found: Found): void {
  if (found.faults.length > mostFaults * 2 || found.seen.has(node)) return;
  if (typeof node === 'object') found.seen.add(node);
  const { section, required, others } = grammar[kind];
  if (!isObject(node)) {
    if (kind !== 'schema' || typeof node !== 'boolean')
      found.faults.push({ pointer: pointerOf(way), text: 'must be an object' });
    return;
  }
  const referring = typeof node.$ref === 'string' && section !== undefined;
  if (!referring)
    for (const name of required ?? [])
      if (!Object.hasOwn(node, name)) warn(found, way, `${article(kind)} needs \`${name}\``);
  if (kind === 'schema') checkKeywords(node, (name, text) => warn(found, { above: way, key: name }, text));
  if (kind === 'parameter' && !referring && (typeof node.name !== 'string' || typeof node.in !== 'string'))
    found.faults.push({ pointer: pointerOf(way), text: 'a parameter needs `name` and `in`' });
  for (const name of Object.keys(node)) {
    // `$ref` is a reference even where any name is allowed, as in callbacks.
    if (referring && name === '$ref') continue;
    const oddity = extensionFault(name, node[name], found.stabilityLevels);
    if (oddity !== undefined) warn(found, { above: way, key: name }, oddity);
    const content = contentOf(kind, name);
    if (content !== undefined) {
      if (others && !others.names.test(name))
        warn(found, { above: way, key: name }, `\`${name}\` is not ${others.called}`);
      checkContent(content, node[name], { above: way, key: name }, found);
    } else if (kind !== 'schema' && !name.startsWith('x-') && !(referring && besideReference.has(name)))
      warn(found, { above: way, key: name }, `\`${name}\` is not ${others?.called ?? `a member of ${article(kind)}`}`);
  }
}

const besideReference = new Set(['$ref', 'summary', 'description']);

function checkContent(content: Content, value: unknown, way: Way, found: Found): void {
  if (content === 'any') return;
  if (typeof content === 'string') {
    if (!plain[content](value)) warn(found, way, `must be ${called[content]}`);
    return;
  }
  if ('one' in content && way.key === 'items' && isList(value)) {
    warn(found, way, 'is a list, as older drafts of JSON Schema write `prefixItems`, and is read as that');
    for (const [index, item] of value.entries())
      checkObject(content.one, item, { above: way, key: String(index) }, found);
  } else if ('one' in content) checkObject(content.one, value, way, found);
  else if ('list' in content ? !isList(value) : !isObject(value))
    found.faults.push({ pointer: pointerOf(way), text: `must be ${'list' in content ? 'a list' : 'an object'}` });
  else {
    const kind = 'map' in content ? content.map : content.list;
    for (const [key, item] of Object.entries(value as object)) {
      // `paths`, `responses`, and other maps may have extensions as well.
      if ('map' in content && key.startsWith('x-') && !isObject(item)) continue;
      checkObject(kind, item, { above: way, key }, found);
    }
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

const article = (kind: Kind): string => {
  const words = kind === 'root' ? 'OpenAPI document' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${/^[aeiouO]/.test(words) ? 'an' : 'a'} ${words}`;
};
