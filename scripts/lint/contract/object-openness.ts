// closed-requests, open-responses: what we accept is closed, what we send stays open.
//
// A misspelt field in a request must be refused, or it is lost in silence. An answer or an event must be able to gain
// a field without breaking a client that validates it. So one schema can never serve both directions.

import { eachObjectSchema } from './schemas.ts';
import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

export function closedRequests(): Visitor {
  return { Paths: { PathItem: { Operation: { RequestBody: { MediaType: reportOpen } } } } };
}

export function openResponses(): Visitor {
  // A webhook's request is something we send.
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

/** A map whose values have a schema counts as closed: every name is meant. */
function isClosed(schema: JsonObject): boolean {
  return (
    schema.additionalProperties === false ||
    schema.unevaluatedProperties === false ||
    isObject(schema.additionalProperties)
  );
}
