/**
 * The route table: which operation a method and a path mean. Built once from the contract's paths; a request costs one
 * step per path segment, however many operations there are. Fixed segments win over parameters.
 */
import type { OperationRecord } from './operation-record.ts';

export type Match =
  | { record: OperationRecord; path_parameters: Record<string, string> }
  /** The path is known, the method is not. */
  | { allowed: string[] }
  | undefined;

export type Routes = (method: string, path: string) => Match;

interface Node {
  fixed: Map<string, Node>;
  parameter: Node | undefined;
  /** By method, upper case. */
  operations: Map<string, OperationRecord>;
}

export function buildRoutes(records: OperationRecord[]): Routes {
  const root = emptyNode();
  for (const record of records) {
    const node = segmentsOf(record.path).reduce(descend, root);
    node.operations.set(record.method.toUpperCase(), record);
    if (record.method === 'get') node.operations.set('HEAD', record); // RFC 9110, section 9.1: wherever GET works
  }
  return (method, path) => {
    const values: string[] = [];
    const node = find(root, segmentsOf(path), 0, values);
    if (!node) return undefined;
    const record = node.operations.get(method);
    if (!record) return { allowed: [...node.operations.keys()] };
    return { record, path_parameters: named(record, values) };
  };
}

function emptyNode(): Node {
  return { fixed: new Map(), parameter: undefined, operations: new Map() };
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function descend(node: Node, segment: string): Node {
  if (segment.startsWith('{')) {
    node.parameter ??= emptyNode();
    return node.parameter;
  }
  const next = node.fixed.get(segment) ?? emptyNode();
  node.fixed.set(segment, next);
  return next;
}

function find(node: Node, segments: string[], at: number, values: string[]): Node | undefined {
  if (at === segments.length) return node.operations.size > 0 ? node : undefined;
  const segment = segments[at]!;
  const fixed = node.fixed.get(segment);
  const found = fixed && find(fixed, segments, at + 1, values);
  if (found || !node.parameter || segment === '') return found;
  const depth = values.length;
  values.push(segment);
  const below = find(node.parameter, segments, at + 1, values);
  if (!below) values.length = depth;
  return below;
}

function named(record: OperationRecord, values: string[]): Record<string, string> {
  if (values.length === 0) return {};
  const names = segmentsOf(record.path).filter((segment) => segment.startsWith('{'));
  return Object.fromEntries(names.map((name, i) => [name.slice(1, -1), decoded(values[i]!)]));
}

/** A segment that is not valid percent-encoding stays as it is: it will be the id of nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
