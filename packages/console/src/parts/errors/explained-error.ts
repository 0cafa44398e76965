/** An error with a message for users, in their language. */
export class ExplainedError extends Error {
  override name = 'ExplainedError';
}
