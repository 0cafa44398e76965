/** Global teardown of the api tier: fails the run if a success response that the contract declares was never returned. */

import { uncoveredResponses } from '../helpers/contract/covered-responses.ts';
import { cleanUp } from './global-setup.ts';

/** @param options of jest, which show whether the whole tier ran */
export default async function teardown(options: Options): Promise<void> {
  const isWhole = options.testPathPatterns.patterns.length === 0 && !options.testNamePattern;
  const unseen = isWhole ? await uncoveredResponses(process.env.TEST_REQUEST_LOG!) : [];
  await cleanUp();
  if (unseen.length > 0) {
    throw new Error(`declared in the contract, but never answered in any test: ${unseen.join(', ')}`);
  }
}

interface Options {
  testPathPatterns: { patterns: string[] };
  testNamePattern?: string;
}
