// closed-requests, open-responses: request schemas are closed, response schemas are open.
//
// A misspelled request field must be rejected, not silently ignored. A response or event must be able to gain fields without
// breaking clients that validate it. So no schema can serve both directions.

import { eachObjectSchema } from './schemas.ts';
import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

export function closedRequests(): Visitor {
  return { Paths: { PathItem: { Operation: { RequestBody: { MediaType: reportOpen } } } } };
}

export function openResponses(): Visitor {
  // A webhook request is sent by us, so it counts as a response.
  return {
    Response: { MediaType: reportClosed },
    WebhooksMap: { PathItem: { Operation: { RequestBody: { MediaType: reportClosed } } } },
  };
}

function reportOpen(media: { schema?: unknown }, context: Context): void {
  eachObjectSchema(media.schema, context.location.child('schema'), context, (schema, location, composedIn) => {
    if ([schema, ...composedIn].some(isClosed)) return;
    const message =
      'Close this object, it is part of a request: additionalProperties: false (or unevaluatedProperties: false around allOf).';
    context.report({ message, location });
  });
}

function reportClosed(media: { schema?: unknown }, context: Context): void {
  eachObjectSchema(media.schema, context.location.child('schema'), context, (schema, location) => {
    if (schema.additionalProperties !== false && schema.unevaluatedProperties !== false) return;
    const message =
      'Leave this object open, it is part of what we send: remove additionalProperties or unevaluatedProperties. If a request uses the same schema, give each its own.';
    context.report({ message, location });
  });
}

/** A map with a value schema counts as closed: any name is intended. */
function isClosed(schema: JsonObject): boolean {
  return (
    schema.additionalProperties === false ||
    schema.unevaluatedProperties === false ||
    isObject(schema.additionalProperties)
  );
}
