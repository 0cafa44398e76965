/** Orders test files: by jest's default, or with SHUFFLE=<number> in a random order that the number reproduces. */
import { createRequire } from 'node:module';
import { createRandom } from '../../scripts/random/random.ts';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer') as typeof import('@jest/test-sequencer');
type Sort = InstanceType<typeof Sequencer>['sort'];

export default class Order extends Sequencer {
  override sort(tests: Parameters<Sort>[0]): ReturnType<Sort> {
    const { SHUFFLE } = process.env;
    if (!SHUFFLE) return super.sort(tests);
    return createRandom(Number(SHUFFLE)).shuffled(tests.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
  }
}
