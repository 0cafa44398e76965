/** Converts any error to SCIM's format (RFC 7644, section 3.12). */
import { type FieldErrors, type Problem, toProblem } from '../../contract/problem.ts';
import { ScimProblem, type ScimType } from '../../product/directories/scim-problem.ts';

interface Refusal {
  status: number;
  code: string;
  headers: Record<string, string>;
  body: { schemas: string[]; status: string; scimType?: string; detail: string };
  cause: unknown;
}

const urn = 'urn:ietf:params:scim:api:messages:2.0:Error';

export function refusalOf(error: unknown): Refusal {
  if (error instanceof ScimProblem) return refusal(error.status, error.scimType, error.message, 'scim_refused');
  const problem = toProblem(error);
  const { status, scimType } = kindOf(problem);
  return {
    ...refusal(status, scimType, detailOf(problem), problem.code),
    headers: problem.headers,
    cause: problem.status >= 500 ? (problem.cause ?? problem) : undefined,
  };
}

function refusal(status: number, scimType: ScimType | undefined, detail: string, code: string): Refusal {
  const body = { schemas: [urn], status: String(status), ...(scimType && { scimType }), detail };
  return { status, code, headers: {}, body, cause: undefined };
}

function kindOf({ status, code, details }: Problem): { status: number; scimType?: ScimType } {
  if (code === 'email_taken') return { status: 409, scimType: 'uniqueness' };
  if (code === 'malformed_json') return { status: 400, scimType: 'invalidSyntax' };
  if (code !== 'validation_error') return { status };
  const errors = Object.values(details as FieldErrors).flat();
  return errors.some((error) => error.code === 'taken')
    ? { status: 409, scimType: 'uniqueness' }
    : { status, scimType: 'invalidValue' };
}

const maxDetailLength = 1_000;

function detailOf({ code, message, details }: Problem): string {
  if (code !== 'validation_error' || !details) return message;
  const errors = Object.entries(details as FieldErrors).map(
    ([field, found]) => `${field}: ${found.map((each) => each.message).join(' ')}`,
  );
  return errors.join(' ').slice(0, maxDetailLength);
}
