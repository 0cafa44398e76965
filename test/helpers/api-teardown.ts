/** At the end of the api tier: every success that the contract declares must have been answered to some test. */
import { cleanUp } from './global-setup.ts';
import { unseenAnswers } from './seen-answers.ts';

/** @param options of jest, which says whether all files of the tier ran */
export default async function teardown(options: Options): Promise<void> {
  const isWhole = options.testPathPatterns.patterns.length === 0 && !options.testNamePattern;
  const unseen = isWhole ? await unseenAnswers(process.env.TEST_REQUEST_LOG!) : [];
  await cleanUp();
  if (unseen.length > 0) {
    throw new Error(`declared in the contract, but never answered in any test: ${unseen.join(', ')}`);
  }
}

interface Options {
  testPathPatterns: { patterns: string[] };
  testNamePattern?: string;
}
