/**
 * openapi-backend's validator with the validators of `generated/validators/`, which Ajv writes when the contract changes.
 *
 * - Saves: compiling schemas in every process, 10 to 90 ms at the first request to an operation, and parsing the request again.
 *   It also finds what no schema says (a parameter given twice, a file refused on arrival), and all errors in our own words.
 * - Costs: `make generate`, and a megabyte of generated modules.
 * - To switch it off, leave out its line in `engine.ts`: the library compiles the schemas of the contract, and refuses the
 *   same requests with Ajv's errors, which `validationFail` would have to put into words.
 * - `test/api/http/engine.test.ts` fails when the two disagree.
 */
import { OpenAPIValidator, type Request, type ValidationResult } from 'openapi-backend';
import type { Exchange } from './exchange.ts';
import { validateRequest } from './steps/validate-request.ts';

export class ContractValidator extends OpenAPIValidator {
  constructor(options: Pick<OpenAPIValidator, 'definition' | 'router'>) {
    super({ ...options, lazyCompileValidators: true });
  }

  /** @returns the problem as the only error: it names all that is wrong */
  override validateRequest(request: Request): ValidationResult<Request> {
    const refusal = validateRequest(request as unknown as Exchange);
    return { valid: refusal === undefined, errors: refusal ? [refusal as never] : null };
  }
}
