// named-bodies, one-shape, plain-schemas, inline-webhooks: schema shapes that client generators and other tools require.

import { type Context, isObject, type JsonObject, type Visitor } from './types.ts';

/** Generated clients name a type after its component; an inline body gets an invented name. */
export function namedBodies(): Visitor {
  return {
    MediaType(media: { schema?: unknown }, context: Context) {
      if (isObject(media.schema) && typeof media.schema.$ref === 'string') return;
      const message = 'Move the schema of this body to openapi/schemas/ under a good name and refer to it with $ref.';
      context.report({ message, location: context.location.child('schema') });
    },
  };
}

/** `$id` changes how references below it resolve, and `/` in a name breaks the pointers of several generators. */
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

/** The type generator drops a webhook that is a reference, and generators invent names for webhooks without an operationId. */
export function inlineWebhooks(): Visitor {
  return {
    WebhooksMap(webhooks: JsonObject, context: Context) {
      for (const [name, item] of Object.entries(webhooks)) {
        if (!isObject(item)) continue;
        const location = context.location.child(name);
        if ('$ref' in item)
          context.report({ message: 'Write the webhook out in openapi.yaml instead of $ref.', location });
        for (const [method, operation] of Object.entries(item)) {
          if (!isObject(operation) || operation.operationId === handlerName(name)) continue;
          const message = `Give the webhook the operationId ${handlerName(name)}.`;
          context.report({ message, location: location.child([method, 'operationId']) });
        }
      }
    },
  };
}

/** Handler name for an event, as a receiver would call it; no operation starts with `on`. */
function handlerName(event: string): string {
  return `on${event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** Most languages deserialize a union only with a discriminator, and many generators fail on `not`. */
export function oneShape(): Visitor {
  return {
    Schema(schema: JsonObject, context: Context) {
      for (const keyword of ['anyOf', 'oneOf']) {
        if (alternatives(schema[keyword]).length < 2) continue;
        const message = `Describe one shape instead of ${keyword}: with optional properties, say.`;
        context.report({ message, location: context.location.child(keyword) });
      }
      if (!('not' in schema)) return;
      context.report({ message: 'Say it without "not".', location: context.location.child('not') });
    },
  };
}

/** A schema or null is not a choice between two schemas. */
function alternatives(list: unknown): unknown[] {
  return Array.isArray(list) ? list.filter((schema) => !isObject(schema) || schema.type !== 'null') : [];
}
