/**
 * openapi-backend, configured with the contract. Subclasses replace two slow parts; each file says what it saves and how to
 * switch it off.
 *
 * How it calls hooks, and what that means for code that registers them:
 * - `postRoutingHandler` runs whether or not a route matched, before `notFound` and `methodNotAllowed`.
 * - Any error of a security handler, even an outage, counts as "not authorized" and is stored in `security` under the name of
 *   the scheme; `unauthorizedHandler` has to throw it. `postSecurityHandler` runs before that, for every request.
 * - Without `strict`, a request that fails security or validation still runs where the handler for that is missing.
 * - An error of `matchOperation` is a 404, or a 405 if its message starts with that.
 */
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { contract } from '../../../contract/contract.ts';
import { ContractRouter } from './contract-router.ts';
import { ContractValidator } from './contract-validator.ts';

export const securityScheme = 'oauth2';

/**
 * Takes the contract as it is loaded. The library would read it again to register schemas by address, which is unused with `quick`
 * and doubles the time in which the engine starts. To switch it off, use OpenAPIBackend itself.
 */
class ContractBackend extends OpenAPIBackend {
  override async loadDocument(): Promise<Document> {
    this.document = this.inputDocument as Document;
    return this.document;
  }
}

export async function createEngine(): Promise<OpenAPIBackend> {
  const definition = contract as unknown as Document;
  // `quick`: CI validates the document, and schemas compile lazily.
  const engine = new ContractBackend({ definition, quick: true, strict: true, ignoreTrailingSlashes: false });
  await engine.init();
  engine.router = new ContractRouter(engine);
  engine.validator = new ContractValidator(engine);
  return engine;
}
