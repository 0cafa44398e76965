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

/** A path without the names of its parameters: two paths of one shape match the same requests. */
export const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

/** The names of a path's parameters, in their order. */
export const pathNames = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!);

/** `GET /v1/things (listThings)`: how an operation is called in messages. */
export const calledOperation = ({ method, path, operationId }: Operation): string =>
  `${method.toUpperCase()} ${path}${operationId ? ` (${operationId})` : ''}`;
