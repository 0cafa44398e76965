/** Errors of collaborator fields, by the attributes that the directory sent. */
import { type FieldErrors, Problem, validationError } from '../../../contract/problem.ts';
import { type Attributes, isObject, schemas } from '../attributes.ts';
import type { FieldMapping } from '../directories.ts';
import { isWork, preferred, textOf } from './profile.ts';

/** Translates an error about a person; returns other errors unchanged. */
export function inAttributes(error: unknown, sent: Attributes, mapping: FieldMapping): unknown {
  if (!(error instanceof Problem) || error.code !== 'validation_error' || !error.details) return error;
  const names = attributeNames(sent);
  for (const { attribute, custom_field: key } of mapping) names[`custom_fields.${key}`] = attribute;
  const renamed: FieldErrors = {};
  for (const [path, errors] of Object.entries(error.details as FieldErrors)) {
    const [field, key] = path.split('.');
    const name = names[field === 'custom_fields' ? `${field}.${key}` : field!] ?? path;
    renamed[name] = [...(renamed[name] ?? []), ...errors];
  }
  return validationError(renamed);
}

/** The attribute that each field comes from; undefined for a default. */
function attributeNames(sent: Attributes): Record<string, string | undefined> {
  const parts = isObject(sent.name) ? sent.name : {};
  const given = ['givenName', 'familyName'].filter((part) => textOf(parts[part])).map((part) => `name.${part}`);
  return {
    name: textOf(parts.formatted)
      ? 'name.formatted'
      : textOf(sent.displayName)
        ? 'displayName'
        : given.join(', ') || 'userName',
    email: entryName(sent, 'emails', ['value']) ?? 'userName',
    position: textOf(sent.title) && 'title',
    department: enterpriseName(sent, 'department'),
    employee_number: enterpriseName(sent, 'employeeNumber'),
    manager_id: enterpriseName(sent, 'manager'),
    phone: entryName(sent, 'phoneNumbers', ['value']),
    location: entryName(sent, 'addresses', ['locality', 'formatted']),
    external_id: 'externalId',
  };
}

function enterpriseName(sent: Attributes, name: string): string | undefined {
  const enterprise = sent[schemas.enterprise];
  return isObject(enterprise) && enterprise[name] !== undefined ? `${schemas.enterprise}:${name}` : undefined;
}

/** For example `emails[type eq "work"].value`. */
function entryName(sent: Attributes, list: string, members: readonly string[]): string | undefined {
  const entry = preferred(sent[list]);
  const member = members.find((each) => textOf(entry?.[each]));
  if (!entry || !member) return undefined;
  const filter = isWork(entry) ? '[type eq "work"]' : entry.primary === true ? '[primary eq true]' : '';
  return `${list}${filter}.${member}`;
}
