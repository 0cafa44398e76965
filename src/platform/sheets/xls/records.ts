/** What the records of old and of binary workbooks have in common. */
import { say } from '../../../contract/languages/text.ts';
import { damaged } from '../model/error.ts';

/** A number in four bytes ([MS-XLS] 2.5.218): the upper part of a double, or an integer; of either the hundredth, too. */
export function shortNumber(content: Buffer, at: number): number {
  const bits = content.readInt32LE(at);
  let number = bits >> 2;
  if ((bits & 2) === 0) {
    const double = Buffer.alloc(8);
    double.writeInt32LE(bits & ~3, 4);
    number = double.readDoubleLE();
  }
  return bits & 1 ? number / 100 : number;
}

/**
 * @param read a cell of a record
 * @throws SheetError when it would read on behind the record
 */
export function withinRecord<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? damaged(say`a cell of it ends too early`, error) : error;
  }
}
