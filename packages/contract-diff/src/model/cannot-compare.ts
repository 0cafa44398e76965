// Why two documents can't be compared.

/** Says, in sentences for the person who started the comparison, why it can't be made: exit code 2. */
export class CannotCompare extends Error {
  readonly reasons: readonly string[];

  constructor(...reasons: string[]) {
    super(reasons.join('\n'));
    this.name = 'CannotCompare';
    this.reasons = reasons;
  }
}
