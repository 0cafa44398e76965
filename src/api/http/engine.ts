/**
 * openapi-backend with its slow parts replaced, by its public methods (read in 5.21). As it is it costs 220 µs a request:
 * it lists all operations and compiles a pattern for each path, parses the request three times, and compiles validators
 * when it starts. Here it is given a route table, a request that needs no parsing, and validators that are generated.
 *
 * What it does with its hooks, and what follows for whoever registers them:
 * - `postRoutingHandler` runs whether a route was found or not, and before `notFound` and `methodNotAllowed`.
 * - Whatever a security handler throws, an outage too, counts as "not authorised", and is kept in `security` by the name of
 *   the scheme: `unauthorizedHandler` has to throw it. `postSecurityHandler` runs before that, for everybody.
 * - Without `strict` a request that fails security or validation is carried out where the handler for that is missing.
 * - What `matchOperation` throws is a 404, or a 405 when its message begins so.
 */
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { contract } from '../../contract/contract.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Exchange } from './exchange.ts';
import type { OperationRecord } from './operation-record.ts';
import type { MatchOperation } from './steps/match-operation.ts';

/** The name of the one scheme that the contract has. */
export const security_scheme = 'oauth2';

interface EngineParts {
  operations: OperationRecord[];
  matchOperation: MatchOperation;
  /** @returns what the request is refused with; its hook for that finds it as the only one of the errors */
  validateRequest(exchange: Exchange): Problem | undefined;
}

/** @returns an engine for requests that are exchanges; hooks and operations are still to be registered */
export async function createEngine(parts: EngineParts): Promise<OpenAPIBackend> {
  const { openapi, info, components } = contract;
  const { securitySchemes } = components;
  // Without the paths: it is told the operations below, and would spend its start on resolving references.
  const definition = { openapi, info, paths: {}, components: { securitySchemes } } as unknown as Document;
  const engine = new OpenAPIBackend({ definition, quick: true, strict: true });
  await engine.init();
  Object.assign(engine.router, routing(parts));
  Object.assign(engine.validator, { validateRequest: validation(parts) });
  return engine;
}

function routing({ operations, matchOperation }: EngineParts) {
  const by_id = new Map<string, OperationRecord>(operations.map((operation) => [operation.operationId, operation]));
  return {
    getOperations: () => operations,
    getOperation: (operationId: string) => by_id.get(operationId),
    parseRequest: (exchange: Exchange) => exchange,
    matchOperation(exchange: Exchange): OperationRecord {
      const operation = matchOperation(exchange);
      if (operation === 'unknown') throw unknown_path;
      if (operation === 'other-method') throw other_method;
      return operation;
    },
  };
}

/** Made once: they say nothing of the request, and whoever tries addresses pays for no stack. */
const unknown_path = new Error('404-notFound');
const other_method = new Error('405-methodNotAllowed');

function validation({ validateRequest }: EngineParts) {
  return (exchange: Exchange) => {
    const refusal = validateRequest(exchange);
    return { valid: refusal === undefined, errors: refusal ? [refusal] : null };
  };
}
