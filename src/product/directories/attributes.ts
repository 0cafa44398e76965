/**
 * Normalizes SCIM attributes: names are case-insensitive (RFC 7643, section 2.1), and providers send booleans as texts and single
 * values for lists.
 */
import { ScimProblem } from './scim-problem.ts';

export const schemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const;

export type Attributes = Record<string, unknown>;

const known = `id externalId userName name formatted familyName givenName middleName honorificPrefix honorificSuffix displayName nickName
  profileUrl title userType preferredLanguage locale timezone active password emails phoneNumbers ims photos addresses groups
  entitlements roles x509Certificates schemas meta created lastModified resourceType location version value display type primary
  streetAddress locality region postalCode country employeeNumber costCenter organization division department manager members $ref`;
const canonicalNames = new Map(known.split(/\s+/).map((name) => [name.toLowerCase(), name]));
const canonicalSchemas = new Map(Object.values(schemas).map((urn) => [urn.toLowerCase(), urn]));

export const lists = new Set(
  'emails phoneNumbers ims photos addresses entitlements roles x509Certificates members'.split(' '),
);
const booleans = new Set(['active', 'primary']);
/** Attributes that the service controls or never returns (RFC 7643, section 7). */
const excluded = new Set(['schemas', 'id', 'meta', 'groups', 'password']);
/** Names that every JavaScript object has. */
const refused = new Set(['__proto__', 'constructor', 'prototype']);

/** Per person, as JSON. */
const maxCharacters = 16_384;
const maxDepth = 6;

/** @returns the normalized attributes, without those the service controls and empty ones @throws 400 */
export function canonicalAttributes(sent: unknown): Attributes {
  const normalized = canonicalValue(sent, 0) as Attributes;
  for (const name of excluded) delete normalized[name];
  for (const name of lists) if (normalized[name] !== undefined) normalized[name] = [normalized[name]].flat();
  const enterprise = normalized[schemas.enterprise];
  if (isObject(enterprise)) normalizeManager(enterprise);
  if (JSON.stringify(normalized).length > maxCharacters) {
    throw new ScimProblem(400, 'invalidValue', `A resource can have at most ${maxCharacters} characters of JSON.`);
  }
  return normalized;
}

function canonicalValue(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new ScimProblem(400, 'invalidValue', 'The attributes are nested too deeply.');
  if (Array.isArray(value))
    return value.map((each) => canonicalValue(each, depth + 1)).filter((each) => !isEmpty(each));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const canonical = canonicalName(name);
    return [canonical, canonicalMember(canonical, canonicalValue(inner, depth + 1))] as const;
  });
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner)));
}

/** Unassigned, null, and an empty list are equivalent (RFC 7643, section 2.5); here an empty text too. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function canonicalMember(name: string, value: unknown): unknown {
  if (!booleans.has(name) || typeof value !== 'string') return value;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : value;
}

/** @throws 400 for an invalid attribute name */
function canonicalName(name: string): string {
  refuseName(name);
  const urn = canonicalSchemas.get(name.toLowerCase());
  if (urn) return urn;
  return (
    canonicalNames.get(name.toLowerCase()) ?? (name.includes(':') || name.includes('.') ? canonicalPath(name) : name)
  );
}

function refuseName(name: string): void {
  if (refused.has(name.toLowerCase())) throw new ScimProblem(400, 'invalidPath', `Unknown attribute ${name}.`);
}

const maxPathCharacters = 512;
/** Quoted texts stay unchanged. */
const words = /"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$-]*/g;

/** Normalizes a PATCH path, or an attribute with its schema prefix. @throws 400 */
export function canonicalPath(path: string): string {
  if (path.length > maxPathCharacters) throw new ScimProblem(400, 'invalidPath', 'The path is too long.');
  const schema = [...canonicalSchemas].find(([urn]) => path.toLowerCase().startsWith(`${urn}:`));
  const [prefix, rest] = schema ? [`${schema[1]}:`, path.slice(schema[0].length + 1)] : ['', path];
  const whole = canonicalSchemas.get(path.toLowerCase());
  if (whole) return whole;
  const isUnknownSchema = !schema && /^urn:/i.test(path);
  if (isUnknownSchema) {
    for (const name of path.split(/[:.[\]\s]/)) refuseName(name);
    return path;
  }
  const canonical = rest.replace(words, (word) => {
    if (word.startsWith('"')) return word;
    refuseName(word);
    return canonicalNames.get(word.toLowerCase()) ?? word;
  });
  // Entra ID sends `roles[primary eq "True"]`.
  return (
    prefix +
    canonical.replace(/\b(primary|active) eq "(true|false)"/gi, (_, name, text) => `${name} eq ${text.toLowerCase()}`)
  );
}

/** A manager may be a plain id, or a list with one. */
function normalizeManager(enterprise: Attributes): void {
  const manager = [enterprise.manager].flat()[0];
  if (typeof manager === 'string') enterprise.manager = { value: manager };
  else if (isObject(manager) && manager.value !== undefined)
    enterprise.manager = { ...manager, value: String(manager.value) };
  else delete enterprise.manager;
  if (Object.keys(enterprise).length === 0) enterprise.manager = undefined;
}

export function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
