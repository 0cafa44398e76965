// Checks a document against OpenAPI. Most violations are warnings; errors are those that would be misread or ignored.
import { isList, isObject, segment } from '../model/json.ts';
import { parseVersion } from '../model/semver.ts';
import { type Content, contentOf, grammar, type Kind } from './grammar.ts';
import { extensionError } from './lint-extensions.ts';
import { checkKeywords } from './lint-schema.ts';

/** Errors shown in a message; beyond that, users need a linter. */
const maxErrors = 10;
const maxWarnings = 1_000;

export interface LintIssue {
  readonly pointer: string;
  readonly text: string;
}

/** Without errors, the document can be compared. */
interface Lint {
  readonly errors: readonly LintIssue[];
  readonly warnings: readonly LintIssue[];
}

/**
 * Checks a document.
 * @param needsVersion whether `info.version` must be a semantic version
 * @param stabilityLevels additional levels of the policy
 */
export function lint(root: unknown, needsVersion: boolean, stabilityLevels: readonly string[] = []): Lint {
  const found: Found = { errors: [], warnings: [], visited: new Set(), stabilityLevels };
  if (!isObject(root)) return { ...found, errors: [{ pointer: '', text: 'it is not an object' }] };
  const version = versionError(root);
  if (version !== undefined) return { ...found, errors: [{ pointer: '', text: version }] };
  checkObject('root', root, undefined, found);
  checkVersion(root, needsVersion, found);
  if ([root.paths, root.components, root.webhooks, root['x-webhooks']].every((part) => part === undefined))
    found.errors.push({ pointer: '', text: 'it has none of `paths`, `webhooks` and `components`' });
  const rest = found.errors.length - maxErrors;
  if (rest > 0) found.errors.splice(maxErrors, rest, { pointer: '', text: `and ${rest} more` });
  return found;
}

/** Why the OpenAPI version is unsupported; undefined if it is supported. */
function versionError(root: Readonly<Record<string, unknown>>): string | undefined {
  const { openapi, swagger } = root;
  if (openapi === undefined && swagger !== undefined)
    return `its Swagger version is ${JSON.stringify(swagger)}; Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be compared`;
  if (openapi === undefined) return 'it has no `openapi` version';
  if (!/^3\.[012](\.\d+)?(-[\w.]+)?$/.test(String(openapi)))
    return `its OpenAPI version is ${JSON.stringify(openapi)}; 3.0, 3.1 and 3.2 can be compared`;
  return undefined;
}

interface Found {
  readonly errors: LintIssue[];
  readonly warnings: LintIssue[];
  readonly visited: Set<unknown>;
  readonly stabilityLevels: readonly string[];
}

/** Path to a node; its pointer is built only for a problem. */
interface NodePath {
  readonly parent: NodePath | undefined;
  readonly key: string;
}

const pointerOf = (path: NodePath | undefined, key?: string): string =>
  (path === undefined ? '' : `${pointerOf(path.parent)}/${segment(path.key)}`) +
  (key === undefined ? '' : `/${segment(key)}`);

function warn(found: Found, path: NodePath | undefined, text: string): void {
  if (found.warnings.length < maxWarnings) found.warnings.push({ pointer: pointerOf(path), text });
}

function checkVersion(root: Readonly<Record<string, unknown>>, needsVersion: boolean, found: Found): void {
  const list = needsVersion ? found.errors : found.warnings;
  const advice = needsVersion ? '; --fail-on compares without versions' : '';
  const version = isObject(root.info) ? root.info.version : undefined;
  if (root.info === undefined) list.push({ pointer: '', text: `it has no \`info\`${advice}` });
  else if (version === undefined) list.push({ pointer: '/info', text: `\`info.version\` is missing${advice}` });
  else if (parseVersion(version) === undefined) {
    const text = `\`info.version\` is ${JSON.stringify(version)}, which is not a semantic version such as 1.4.0${advice}`;
    list.push({ pointer: '/info/version', text });
  }
}

function checkObject(kind: Kind, node: unknown, path: NodePath | undefined, found: Found): void {
  if (found.errors.length > maxErrors * 2 || found.visited.has(node)) return;
  if (typeof node === 'object') found.visited.add(node);
  const { section, required, others } = grammar[kind];
  if (!isObject(node)) {
    if (kind !== 'schema' || typeof node !== 'boolean')
      found.errors.push({ pointer: pointerOf(path), text: 'must be an object' });
    return;
  }
  const referring = typeof node.$ref === 'string' && section !== undefined;
  if (!referring)
    for (const name of required ?? [])
      if (!Object.hasOwn(node, name)) warn(found, path, `${article(kind)} needs \`${name}\``);
  if (kind === 'schema') checkKeywords(node, (name, text) => warn(found, { parent: path, key: name }, text));
  if (kind === 'parameter' && !referring && (typeof node.name !== 'string' || typeof node.in !== 'string'))
    found.errors.push({ pointer: pointerOf(path), text: 'a parameter needs `name` and `in`' });
  for (const name of Object.keys(node)) {
    // `$ref` is a reference even where any name is allowed, as in callbacks.
    if (referring && name === '$ref') continue;
    const issue = extensionError(name, node[name], found.stabilityLevels);
    if (issue !== undefined) warn(found, { parent: path, key: name }, issue);
    const content = contentOf(kind, name);
    if (content !== undefined) {
      if (others && !others.names.test(name))
        warn(found, { parent: path, key: name }, `\`${name}\` is not ${others.description}`);
      checkContent(content, node[name], { parent: path, key: name }, found);
    } else if (kind !== 'schema' && !name.startsWith('x-') && !(referring && refSiblings.has(name)))
      warn(
        found,
        { parent: path, key: name },
        `\`${name}\` is not ${others?.description ?? `a member of ${article(kind)}`}`,
      );
  }
}

const refSiblings = new Set(['$ref', 'summary', 'description']);

function checkContent(content: Content, value: unknown, path: NodePath, found: Found): void {
  if (content === 'any') return;
  if (typeof content === 'string') {
    if (!plain[content](value)) warn(found, path, `must be ${contentDescriptions[content]}`);
    return;
  }
  if ('one' in content && path.key === 'items' && isList(value)) {
    warn(found, path, 'is a list, as older drafts of JSON Schema write `prefixItems`, and is read as that');
    for (const [index, item] of value.entries())
      checkObject(content.one, item, { parent: path, key: String(index) }, found);
  } else if ('one' in content) checkObject(content.one, value, path, found);
  else if ('list' in content ? !isList(value) : !isObject(value))
    found.errors.push({ pointer: pointerOf(path), text: `must be ${'list' in content ? 'a list' : 'an object'}` });
  else {
    const kind = 'map' in content ? content.map : content.list;
    for (const [key, item] of Object.entries(value as object)) {
      // `paths`, `responses`, and other maps may have extensions as well.
      if ('map' in content && key.startsWith('x-') && !isObject(item)) continue;
      checkObject(kind, item, { parent: path, key }, found);
    }
  }
}

const plain = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  strings: (value: unknown) => isList(value) && value.every((item) => typeof item === 'string'),
  stringMap: (value: unknown) => isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
};
const contentDescriptions = {
  string: 'a string',
  boolean: 'true or false',
  strings: 'a list of strings',
  stringMap: 'an object of strings',
};

const article = (kind: Kind): string => {
  const words = kind === 'root' ? 'OpenAPI document' : kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${/^[aeiouO]/.test(words) ? 'an' : 'a'} ${words}`;
};
