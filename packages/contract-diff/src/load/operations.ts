// The operations of a document: what is called, what is sent to subscribers, what is called back.
import type { Cursor } from './document.ts';
import { methods } from './grammar.ts';

export interface Operation {
  /** The path, the event's name, or the callback's address. */
  readonly path: string;
  readonly method: string;
  readonly cursor: Cursor;
  /** The path item it belongs to. */
  readonly item: Cursor;
  readonly operationId: string | undefined;
}

/** The operations of a map of path items. */
export function operationsOf(items: [path: string, item: Cursor][]): Operation[] {
  return items.flatMap(([path, item]) =>
    [
      ...methods.map((method) => [method, item.at(method)] as const),
      // Of any other method, which is written as it is sent.
      ...item.entriesOf('additionalOperations'),
    ].flatMap(([method, cursor]) => {
      if (!cursor) return [];
      const operationId = cursor.get('operationId');
      return [{ path, method, cursor, item, operationId: typeof operationId === 'string' ? operationId : undefined }];
    }),
  );
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly cursor: Cursor;
  /** Of a path: whether the path doesn't name it. It is taken for a part that nothing describes, if there is one. */
  readonly stray?: { readonly takenFor: string | undefined };
}

/** Headers that OpenAPI describes elsewhere, and bids to ignore here. */
const ignored = new Set(['accept', 'content-type', 'authorization']);

/**
 * The parameters of the path and of the operation, which wins; by place and name. Those of a path are known by their position
 * in it: their names are in no request.
 */
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
    const stray = { takenFor: index === undefined ? undefined : positions[index] };
    found.set(index === undefined ? `path named ${parameter.name}` : `path ${index}`, { ...parameter, stray });
  }
  return found;
}

/** Parameters of paths that the paths don't name. */
export function strayParameters(top: Cursor): readonly { readonly pointer: string; readonly text: string }[] {
  return operationsOf(top.at('paths')?.members() ?? []).flatMap((operation) =>
    [...parametersOf(operation).values()].flatMap(({ name, cursor, stray }) => {
      if (!stray) return [];
      const taken = stray.takenFor === undefined ? 'so no request has it' : `and is taken for {${stray.takenFor}}`;
      return [{ pointer: cursor.written, text: `\`${name}\` isn't in the path ${operation.path}, ${taken}` }];
    }),
  );
}

/** A path without the names of its parameters: two paths of one shape match the same requests. */
export const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

/** The names of a path's parameters, in their order. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!);

/** `GET /v1/things (listThings)`: how an operation is called in messages. */
export const calledOperation = ({ method, path, operationId }: Operation): string =>
  `${method.toUpperCase()} ${path}${operationId ? ` (${operationId})` : ''}`;
