import type { Text } from '../../../contract/languages/text.ts';

/** A permanent failure that no retry can fix. The message is for the requester. */
export class ExportFailure extends Error {
  override name = 'ExportFailure';
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.text = text;
  }
}
