/** Writes a JSON array with one object per line, so that it can also be read line by line. */
import { Readable } from 'node:stream';

export function writeJson(groups: Iterable<readonly object[]> | AsyncIterable<readonly object[]>): Readable {
  return Readable.from(jsonOf(groups), { objectMode: false, highWaterMark: 65_536 });
}

async function* jsonOf(groups: Iterable<readonly object[]> | AsyncIterable<readonly object[]>): AsyncGenerator<Buffer> {
  let between = '[\n';
  for await (const group of groups) {
    let text = '';
    for (const item of group) {
      text += between + JSON.stringify(item);
      between = ',\n';
    }
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from(between === '[\n' ? '[]\n' : '\n]\n');
}
