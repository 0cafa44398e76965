/**
 * openapi-backend, given the contract: it knows every operation, with its path, its security and its schemas. Two of its parts
 * are slow, and are replaced by subclasses, each in a file that says what it saves and how to switch it off.
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
import { ContractRouter } from './contract-router.ts';
import { ContractValidator } from './contract-validator.ts';

/** The name of the one scheme that the contract has. */
export const securityScheme = 'oauth2';

/** @returns an engine for requests that are exchanges; hooks and operations are still to be registered */
export async function createEngine(): Promise<OpenAPIBackend> {
  const definition = contract as unknown as Document;
  // Quick: CI checks the document, and nothing is compiled before it is used.
  const engine = new OpenAPIBackend({ definition, quick: true, strict: true, ignoreTrailingSlashes: false });
  await engine.init();
  engine.router = new ContractRouter(engine);
  engine.validator = new ContractValidator(engine);
  return engine;
}
