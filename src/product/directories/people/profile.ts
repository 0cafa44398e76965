/** Maps a directory's attributes to collaborator fields. */

import { type FieldErrors, validationError } from '../../../contract/problem.ts';
import { emailForm } from '../../../contract/texts/email.ts';
import { schemaCheck } from '../../../contract/validation.ts';
import { type Attributes, isObject, schemas } from '../attributes.ts';
import { ScimProblem } from '../scim-problem.ts';

interface Defaults {
  default_department: string;
  default_position: string;
}

export interface Profile {
  name: string;
  email: string;
  position: string | undefined;
  department: string | undefined;
  phone: string | undefined;
  location: string | undefined;
  employee_number: string | undefined;
  /** An id, external id, or user name in the same directory. */
  manager: string | undefined;
}

const address = /^[^\s@]+@[^\s@]+$/;

/** @throws 400 `invalidValue` without a user name or an address */
export function profileOf(attributes: Attributes): Profile {
  const userName = textOf(attributes.userName);
  if (!userName) throw new ScimProblem(400, 'invalidValue', 'userName is required.');
  const enterprise = isObject(attributes[schemas.enterprise]) ? (attributes[schemas.enterprise] as Attributes) : {};
  const email = preferredValue(attributes.emails) ?? (address.test(userName) ? userName : undefined);
  if (!email)
    throw new ScimProblem(400, 'invalidValue', 'emails needs a value, because userName is not an email address.');
  const manager = isObject(enterprise.manager) ? textOf(enterprise.manager.value) : undefined;
  return {
    name: nameOf(attributes) ?? userName,
    email,
    position: textOf(attributes.title),
    department: textOf(enterprise.department),
    phone: preferredValue(attributes.phoneNumbers),
    location: locationOf(attributes.addresses),
    employee_number: textOf(enterprise.employeeNumber),
    manager,
  };
}

function nameOf({ name, displayName }: Attributes): string | undefined {
  const parts = isObject(name) ? name : {};
  const fullName = [textOf(parts.givenName), textOf(parts.familyName)].filter(Boolean).join(' ');
  return textOf(parts.formatted) ?? textOf(displayName) ?? (fullName || undefined);
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Of a list: the work value, else the primary one, else the first. */
export function preferred(list: unknown): Attributes | undefined {
  const items = Array.isArray(list) ? list.filter(isObject) : [];
  return items.find(isWork) ?? items.find(({ primary }) => primary === true) ?? items[0];
}

export function isWork({ type }: Attributes): boolean {
  return typeof type === 'string' && type.toLowerCase() === 'work';
}

function preferredValue(list: unknown): string | undefined {
  return textOf(preferred(list)?.value);
}

function locationOf(list: unknown): string | undefined {
  const entry = preferred(list);
  return (
    textOf(entry?.locality) ??
    textOf(entry?.formatted)
      ?.split(/[\r\n]+/)
      .join(', ')
  );
}

const checkCreate = schemaCheck('CollaboratorCreate');
const checkUpdate = schemaCheck('CollaboratorUpdate');

interface NewFields {
  name: string;
  email: string;
  position: string;
  department: string;
  phone?: string;
  location?: string;
  employee_number?: string;
  external_id?: string;
}

/** @throws 400 `validation_error` by the rules for all collaborators */
export function fieldsToAdd(profile: Profile, defaults: Defaults, externalId: string | null): NewFields {
  const { manager: _, ...sent } = profile;
  const fields = {
    ...sent,
    email: emailForm(sent.email),
    position: sent.position ?? defaults.default_position,
    department: sent.department ?? defaults.default_department,
    ...(externalId !== null && { external_id: externalId }),
  };
  return checked(fields, checkCreate) as unknown as NewFields;
}

/**
 * Sets what the directory says, clears what it no longer says, and leaves what it never said, which others manage.
 * @throws 400 `validation_error`
 */
export function fieldsToChange(
  before: Profile | undefined,
  after: Profile,
  defaults: Defaults,
  key: { external_id?: string | null },
) {
  const cleared = (field: 'phone' | 'location' | 'employee_number') =>
    after[field] === undefined && before?.[field] !== undefined ? { [field]: null } : {};
  const fields = {
    name: after.name,
    email: emailForm(after.email),
    position: after.position ?? (before?.position === undefined ? undefined : defaults.default_position),
    department: after.department ?? (before?.department === undefined ? undefined : defaults.default_department),
    phone: after.phone,
    location: after.location,
    employee_number: after.employee_number,
    ...cleared('phone'),
    ...cleared('location'),
    ...cleared('employee_number'),
    ...key,
  };
  return checked(fields, checkUpdate);
}

function checked<F extends object>(fields: F, check: (value: unknown) => FieldErrors | undefined): F {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as F;
  const errors = check(present); // normalizes texts for storage
  if (errors) throw validationError(errors);
  return present;
}
