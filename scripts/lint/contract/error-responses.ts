// error-responses: every operation declares its errors. Clients rely on them, and the server refuses to send others.

import { acceptsIdempotencyKey, parameterNames } from './idempotency.ts';
import type { Context, Visitor } from './types.ts';

export function errorResponses(): Visitor {
  let path = '';
  return {
    Paths: {
      PathItem: {
        enter(_item: unknown, context: Context) {
          path = String(context.key);
        },
        Operation(operation: Operation, context: Context) {
          const declared = Object.keys(operation.responses ?? {});
          const method = String(context.key);
          const parameters = parameterNames(operation, context);
          for (const { status, reason } of requiredResponses(
            path,
            method,
            parameters,
            operation.requestBody !== undefined,
          )) {
            if (declared.includes(status)) continue;
            const message = `Declare the response ${status}: ${reason}. Use the shared one in openapi/responses/errors.yaml.`;
            context.report({ message, location: context.location.child('responses').key() });
          }
        },
      },
    },
  };
}

function requiredResponses(
  path: string,
  method: string,
  parameters: string[],
  hasBody: boolean,
): { status: string; reason: string }[] {
  const list = [
    { status: '400', reason: 'any request can be malformed' },
    { status: '401', reason: 'any access token can be missing or expired' },
    { status: '403', reason: 'any token can lack the scope, the role or the company' },
    { status: '406', reason: 'any Accept header can rule out JSON' },
    { status: '408', reason: 'any request can arrive too slowly' },
    { status: '414', reason: 'any address can be too long' },
    { status: '431', reason: 'any headers can be too large or too many' },
    { status: '500', reason: 'any operation can fail on our side' },
    { status: '503', reason: 'any operation can be unavailable' },
  ];
  if (path.startsWith('/v1/')) list.push({ status: '429', reason: 'everything under /v1 is rate limited' });
  if (path.includes('{')) list.push({ status: '404', reason: 'the id in the path can be unknown' });
  if (parameters.includes('If-Match')) list.push({ status: '412', reason: 'the record can have changed' });
  if (acceptsIdempotencyKey(path, method)) {
    list.push({ status: '409', reason: 'a request with the same Idempotency-Key can be running' });
    list.push({ status: '422', reason: 'the Idempotency-Key can have been used with another body' });
  }
  if (hasBody) {
    list.push({ status: '413', reason: 'the body can be too large' });
    list.push({ status: '415', reason: 'the body can have another media type' });
  }
  return list;
}

type Operation = { parameters?: unknown; requestBody?: unknown; responses?: object };
