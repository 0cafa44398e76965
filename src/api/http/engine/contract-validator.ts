/**
 * openapi-backend's validator with the pre-compiled validators of `generated/validators/`, which Ajv generates.
 *
 * - Saves: compiling schemas in every process, 10 to 90 ms at the first request to an operation, and a second parse of the
 *   request. It also reports what no schema can (a duplicate parameter, a file rejected on arrival), in our own messages.
 * - Costs: `make generate`, and a megabyte of generated modules.
 * - To switch it off, remove its line in `engine.ts`: the library compiles the schemas of the contract and rejects the same
 *   requests with Ajv's errors, which `validationFail` would have to translate.
 * - `test/api/http/engine.test.ts` fails when the two disagree.
 */
import { OpenAPIValidator, type Request, type ValidationResult } from 'openapi-backend';
import type { RequestContext } from '../request-context.ts';
import { validateRequest } from '../steps/validate-request.ts';

export class ContractValidator extends OpenAPIValidator {
  constructor(options: Pick<OpenAPIValidator, 'definition' | 'router'>) {
    super({ ...options, lazyCompileValidators: true });
  }

  /** @returns the problem as the only error; it contains all field errors */
  override validateRequest(request: Request): ValidationResult<Request> {
    const refusal = validateRequest(request as unknown as RequestContext);
    return { valid: refusal === undefined, errors: refusal ? [refusal as never] : null };
  }
}
