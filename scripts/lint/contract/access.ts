// operation-access, field-access: access rules must be in the contract, in the fields of EXTENSIONS.md.
//
// The server reads its rules from these fields, so a missing or misspelled one would be a security hole.

import { declaredScopes } from './scopes.ts';
import { type Context, isObject, type JsonObject, type Location, type Visitor } from './types.ts';

const roles = ['admin', 'manager', 'employee'];
const stepUps = ['always', 'salary'];
const reaches = ['all', 'team', 'self', 'none'];
/** `directory` applies to operations only, not to fields. */
const ofOperations = [...reaches, 'directory'];

export function operationAccess(): Visitor {
  let path = '';
  return {
    Paths: {
      PathItem: {
        enter(_item: unknown, context: Context) {
          path = String(context.key);
        },
        Operation(operation: JsonObject, context: Context) {
          const access = operation['x-access'];
          const location = context.location.child('x-access');
          if (!path.startsWith('/v1/')) {
            const message = 'Remove x-access: outside /v1 there is no company, so there is no role.';
            if (access !== undefined) context.report({ message, location });
          } else if (!isObject(access)) {
            const message =
              'Say which records each role reaches: x-access: { admin: all, manager: team, employee: self }.';
            context.report({ message, location: context.location.key() });
          } else {
            checkRoles(access, 'x-access', roles, context, location, ofOperations);
          }
          const stepUp = operation['x-step-up'];
          if (stepUp !== undefined && !stepUps.includes(String(stepUp))) {
            const message = `Use a known x-step-up: ${stepUps.join(', ')}.`;
            context.report({ message, location: context.location.child('x-step-up') });
          }
        },
      },
    },
  };
}

export function fieldAccess(): Visitor {
  let scopes: string[] = [];
  return {
    Root(root: JsonObject) {
      scopes = declaredScopes(root);
    },
    Schema(schema: JsonObject, context: Context) {
      for (const name of ['x-read-access', 'x-write-access']) {
        if (name in schema) checkFieldAccess(schema[name], name, scopes, context);
      }
      if ('x-value-access' in schema) checkValueAccess(schema, context);
      if (isObject(schema.properties)) checkHiddenFields(schema.properties, schema.required, context);
    },
  };
}

function checkFieldAccess(access: unknown, name: string, scopes: string[], context: Context): void {
  const location = context.location.child(name);
  if (!isObject(access)) {
    const message = `Write ${name} as { scopes: [], admin: all, manager: team, employee: self }.`;
    context.report({ message, location });
    return;
  }
  checkRoles(access, name, [...roles, 'scopes', 'step_up'], context, location);
  if (!Array.isArray(access.scopes)) {
    context.report({ message: `List the scopes ${name} needs; [] when it needs none.`, location });
    return;
  }
  for (const scope of access.scopes.filter((scope) => !scopes.includes(scope))) {
    const message = `Declare the scope "${scope}" under securitySchemes in openapi.yaml, or use a declared one.`;
    context.report({ message, location: location.child('scopes') });
  }
}

function checkValueAccess(schema: JsonObject, context: Context): void {
  const location = context.location.child('x-value-access');
  const access = schema['x-value-access'];
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  for (const [value, reach] of Object.entries(isObject(access) ? access : { '': access })) {
    if (!values.includes(value)) {
      context.report({ message: `Name in x-value-access values of the enum only; "${value}" is none.`, location });
    }
    checkRoles(isObject(reach) ? reach : {}, 'x-value-access', roles, context, location.child(value));
  }
}

function checkRoles(
  access: JsonObject,
  name: string,
  known: string[],
  context: Context,
  location: Location,
  allowed = reaches,
): void {
  for (const role of roles) {
    if (!allowed.includes(String(access[role]))) {
      context.report({ message: `Say in ${name} what ${role} reaches: ${allowed.join(', ')}.`, location });
    }
  }
  for (const key of Object.keys(access).filter((key) => !known.includes(key))) {
    const message = `Remove "${key}" from ${name}: it knows only ${known.join(', ')}.`;
    context.report({ message, location: location.child(key).key() });
  }
}

/** A hidden field is omitted from responses, so it can't be required. */
function checkHiddenFields(properties: JsonObject, required: unknown, context: Context): void {
  for (const [field, property] of Object.entries(properties)) {
    if (!isObject(property) || !('x-read-access' in property)) continue;
    if (!Array.isArray(required) || !required.includes(field)) continue;
    const message = `Take "${field}" out of "required": it has x-read-access, so it is left out when it is hidden.`;
    context.report({ message, location: context.location.child('required') });
  }
}
