import type { Text } from '../../../contract/languages/text.ts';

/** A permanent failure that no retry can fix. The message is for the requester. */
export class ExportFailure extends Error {
  override name = 'ExportFailure';
  readonly said: Text;

  constructor(said: Text) {
    super(String(said));
    this.said = said;
  }
}
