/** Why an export fails for good, whatever is retried. The message is for the person who requested it. */
export class ExportFailure extends Error {
  override name = 'ExportFailure';
}
