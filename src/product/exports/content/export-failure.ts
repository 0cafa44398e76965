import type { Text } from '../../../contract/languages/text.ts';

/** Why an export fails for good, whatever is retried. The message is for the person who requested it. */
export class ExportFailure extends Error {
  override name = 'ExportFailure';
  readonly said: Text;

  /** @param said the message in any language; `message` is English, for logs */
  constructor(said: Text) {
    super(String(said));
    this.said = said;
  }
}
