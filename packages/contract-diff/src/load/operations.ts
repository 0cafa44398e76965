// Operations of a document: requests, webhooks, and callbacks.
import type { Cursor } from './document.ts';
import { methods } from './grammar.ts';

export interface Operation {
  /** Path, event name, or callback URL. */
  readonly path: string;
  readonly method: string;
  readonly cursor: Cursor;
  /** Its path item. */
  readonly item: Cursor;
  readonly operationId: string | undefined;
}

export function operationsOf(items: [path: string, item: Cursor][]): Operation[] {
  return items.flatMap(([path, item]) =>
    [
      ...methods.map((method) => [method, item.at(method)] as const),
      // Other methods, in exact case.
      ...item.entriesOf('additionalOperations'),
    ].flatMap(([method, cursor]) => {
      if (!cursor) return [];
      const operationId = cursor.get('operationId');
      return [{ path, method, cursor, item, operationId: typeof operationId === 'string' ? operationId : undefined }];
    }),
  );
}

export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly cursor: Cursor;
  /** A path parameter missing from the path; matched with an undescribed path segment, if there is one. */
  readonly stray?: { readonly matchedSegment: string | undefined };
}

/** Headers that OpenAPI describes elsewhere and ignores here. */
const ignored = new Set(['accept', 'content-type', 'authorization']);

/** Parameters of operation and path; the operation's win. Path parameters are keyed by position: their names are not sent. */
export function parametersOf({ item, cursor, path }: Operation): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  const positions = pathNames(path);
  const strays = new Map<string, Parameter>();
  for (const [, parameter] of [...item.entriesOf('parameters'), ...cursor.entriesOf('parameters')]) {
    const [name, place] = [String(parameter.get('name')), String(parameter.get('in'))];
    if (place === 'header' && ignored.has(name.toLowerCase())) continue;
    const known = { name, place, cursor: parameter };
    if (place === 'path' && !positions.includes(name)) strays.set(name, known);
    else {
      const key = place === 'path' ? positions.indexOf(name) : place === 'header' ? name.toLowerCase() : name;
      found.set(`${place} ${key}`, known);
    }
  }
  const free = [...positions.keys()].filter((index) => !found.has(`path ${index}`));
  for (const parameter of strays.values()) {
    const index = free.shift();
    const stray = { matchedSegment: index === undefined ? undefined : positions[index] };
    found.set(index === undefined ? `path named ${parameter.name}` : `path ${index}`, { ...parameter, stray });
  }
  return found;
}

/** Path parameters missing from their path. */
export function strayParameters(top: Cursor): readonly { readonly pointer: string; readonly text: string }[] {
  return operationsOf(top.at('paths')?.members() ?? []).flatMap((operation) =>
    [...parametersOf(operation).values()].flatMap(({ name, cursor, stray }) => {
      if (!stray) return [];
      const consequence =
        stray.matchedSegment === undefined ? 'so no request has it' : `and is taken for {${stray.matchedSegment}}`;
      return [{ pointer: cursor.written, text: `\`${name}\` isn't in the path ${operation.path}, ${consequence}` }];
    }),
  );
}

/** A path without parameter names: paths with the same shape match the same requests. */
export const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

export const pathNames = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!);

/** Display name of an operation: `GET /v1/things (listThings)`. */
export const operationLabel = ({ method, path, operationId }: Operation): string =>
  `${method.toUpperCase()} ${path}${operationId ? ` (${operationId})` : ''}`;
