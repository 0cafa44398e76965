// declared-scopes: every operation lists its scopes, and each is declared.

import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

export function usedScopes(): Visitor {
  let declared: string[] = [];
  return {
    Root(root: JsonObject) {
      declared = declaredScopes(root);
    },
    Paths: {
      PathItem: {
        Operation(operation: { security?: unknown }, context: Context) {
          const scopes = scopesOf(operation.security);
          if (scopes.length === 0) {
            const message = 'Name the scope the operation needs: security: [{ oauth2: [collaborators:read] }].';
            context.report({ message, location: context.location.key() });
          }
          for (const scope of scopes.filter((scope) => !declared.includes(scope))) {
            const message = `Declare the scope "${scope}" under securitySchemes in openapi.yaml, or use a declared one: ${declared.join(', ')}.`;
            context.report({ message, location: context.location.child('security') });
          }
        },
      },
    },
  };
}

export function declaredScopes(root: JsonObject): string[] {
  const components = isObject(root.components) ? root.components : {};
  const schemes = isObject(components.securitySchemes) ? Object.values(components.securitySchemes) : [];
  return schemes
    .flatMap((scheme) => (isObject(scheme) && isObject(scheme.flows) ? Object.values(scheme.flows) : []))
    .flatMap((flow) => (isObject(flow) && isObject(flow.scopes) ? Object.keys(flow.scopes) : []));
}

function scopesOf(security: unknown): string[] {
  if (!Array.isArray(security)) return [];
  return security
    .flatMap((alternative) => (isObject(alternative) ? Object.values(alternative).flat() : []))
    .map(String);
}
