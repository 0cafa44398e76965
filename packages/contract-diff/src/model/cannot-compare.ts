// The error for documents that can't be compared.

/** Explains to the user why a comparison is impossible: exit code 2. */
export class CannotCompare extends Error {
  readonly reasons: readonly string[];

  constructor(...reasons: string[]) {
    super(reasons.join('\n'));
    this.name = 'CannotCompare';
    this.reasons = reasons;
  }
}
