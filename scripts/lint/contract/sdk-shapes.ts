// named-bodies, plain-schemas, inline-webhooks: shapes that the tools reading this document are known to need.

import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

/** Generated clients name a type after its component; an inline body gets a name made up by the generator. */
export function namedBodies(): Visitor {
  return {
    MediaType(media: { schema?: unknown }, context: Context) {
      if (isObject(media.schema) && typeof media.schema.$ref === 'string') return;
      const message = 'Move the schema of this body to openapi/schemas/ under a good name and refer to it with $ref.';
      context.report({ message, location: context.location.child('schema') });
    },
  };
}

/** `$id` changes what every reference below it means, and `/` in a name breaks the pointers of several generators. */
export function plainSchemas(): Visitor {
  return {
    Schema(schema: JsonObject, context: Context) {
      if ('$id' in schema) context.report({ message: 'Remove $id.', location: context.location.child('$id') });
      if (!isObject(schema.properties)) return;
      for (const name of Object.keys(schema.properties).filter((name) => name.includes('/'))) {
        context.report({
          message: `Rename the property "${name}": a name must not contain "/".`,
          location: context.location.child(['properties', name]).key(),
        });
      }
    },
  };
}

/** The type generator loses a webhook that is a reference, and an operationId would make it a method of the client. */
export function inlineWebhooks(): Visitor {
  return {
    WebhooksMap(webhooks: JsonObject, context: Context) {
      for (const [name, item] of Object.entries(webhooks)) {
        if (!isObject(item)) continue;
        const location = context.location.child(name);
        if ('$ref' in item)
          context.report({ message: 'Write the webhook out in openapi.yaml instead of $ref.', location });
        for (const [method, operation] of Object.entries(item)) {
          if (!isObject(operation) || !('operationId' in operation)) continue;
          const message = 'Remove the operationId: nobody calls a webhook, so it needs no method name.';
          context.report({ message, location: location.child([method, 'operationId']) });
        }
      }
    },
  };
}
