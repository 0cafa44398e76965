/**
 * openapi-backend's router with a route table built once from the contract: matching costs one step per path segment, regardless
 * of the number of operations.
 *
 * - Saves: nearly all of the library's 0.8 ms per request. Its router lists all operations and compiles a pattern for each
 *   path, twice per request, and parses query and cookies three times. `make bench NAME=engine` measures both.
 * - Costs: this file. Query and cookies stay unparsed: `validate-request.ts` parses the query, and no operation uses cookies.
 * - To switch it off, remove its line in `engine.ts`; the library then routes every request. One difference: here a fixed
 *   segment hides a parameter for all methods, there only for its own.
 * - `test/api/http/engine.test.ts` fails when the two disagree.
 */
import { OpenAPIRouter, type Operation, type ParsedRequest, type Request } from 'openapi-backend';

interface Node {
  fixed: Map<string, Node>;
  parameter: Node | undefined;
  operations: Map<string, Operation>;
}

/** The parameters of a path: name, and index of the segment. */
type ParameterPositions = [name: string, segment: number][];

export class ContractRouter extends OpenAPIRouter {
  readonly #operations: Operation[];
  readonly #byId: Map<string, Operation>;
  readonly #positions: Map<string, ParameterPositions>;
  readonly #root: Node = emptyNode();

  constructor(options: Pick<OpenAPIRouter, 'definition' | 'apiRoot'>) {
    super(options);
    this.#operations = super.getOperations();
    this.#byId = new Map(this.#operations.map((operation) => [operation.operationId!, operation]));
    this.#positions = new Map(this.#operations.map(({ path }) => [path, positionsOf(path)]));
    for (const operation of this.#operations) {
      segmentsOf(operation.path).reduce(descend, this.#root).operations.set(operation.method, operation);
    }
  }

  override getOperations(): Operation[] {
    return this.#operations;
  }

  override getOperation(operationId: string): Operation | undefined {
    return this.#byId.get(operationId);
  }

  override matchOperation(request: Request): Operation | undefined;
  override matchOperation(request: Request, strict: boolean): Operation;
  override matchOperation({ method, path }: Request, strict = false): Operation | undefined {
    const node = find(this.#root, segmentsOf(path), 0);
    const operation = node?.operations.get(method.toLowerCase());
    if (!operation && strict) throw node ? otherMethod : unknownPath;
    return operation;
  }

  override parseRequest({ method, path, headers, body }: Request, operation?: Operation): ParsedRequest {
    const params = operation ? this.#parameters(operation, path) : {};
    return { method, path, headers, params, query: {}, cookies: {}, requestBody: body };
  }

  #parameters(operation: Operation, path: string): Record<string, string> {
    const positions = this.#positions.get(operation.path)!;
    if (positions.length === 0) return {};
    const segments = segmentsOf(path);
    return Object.fromEntries(positions.map(([name, segment]) => [name, segments[segment]!]));
  }
}

/** Created once: they hold nothing of the request, and scanners don't cost a stack trace each. */
const unknownPath = new Error('404-notFound');
const otherMethod = new Error('405-methodNotAllowed');

function emptyNode(): Node {
  return { fixed: new Map(), parameter: undefined, operations: new Map() };
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function positionsOf(path: string): ParameterPositions {
  return segmentsOf(path).flatMap((segment, i) => (segment.startsWith('{') ? [[segment.slice(1, -1), i]] : []));
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

/** Fixed segments win over parameters. Parameters are never empty. */
function find(node: Node, segments: string[], at: number): Node | undefined {
  if (at === segments.length) return node.operations.size > 0 ? node : undefined;
  const segment = segments[at]!;
  const fixed = node.fixed.get(segment);
  const found = fixed && find(fixed, segments, at + 1);
  if (found || !node.parameter || segment === '') return found;
  return find(node.parameter, segments, at + 1);
}
