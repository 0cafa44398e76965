// Converts security definitions of Swagger 2.0.
import { isObject } from '../../model/json.ts';

const flows = new Map([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

export function securityScheme(scheme: unknown): object {
  if (!isObject(scheme)) return {};
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme;
  if (type === 'basic') return { ...rest, type: 'http', scheme: 'basic' };
  if (type !== 'oauth2') return scheme;
  const convertedFlow = {
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(tokenUrl !== undefined && { tokenUrl }),
    scopes: scopes ?? {},
  };
  return { ...rest, type: 'oauth2', flows: { [flows.get(String(flow)) ?? 'implicit']: convertedFlow } };
}
