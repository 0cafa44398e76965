/** SCIM errors (RFC 7644, section 3.12): a status, a type if the standard has one, and a message in English. */

export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'sensitive';

export class ScimProblem extends Error {
  override name = 'ScimProblem';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string, cause?: unknown) {
    super(detail, { cause });
    this.status = status;
    this.scimType = scimType;
  }
}

/** The same for resources that don't exist, or belong to another directory or company. */
export function noSuchResource(): ScimProblem {
  return new ScimProblem(404, undefined, 'There is no such resource.');
}

export function changedConcurrently(): ScimProblem {
  return new ScimProblem(412, undefined, 'The resource has changed since you read it. Read it again.');
}
