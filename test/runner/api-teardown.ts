/**
 * Global teardown of the api tier: fails the run if a success response that the contract declares was never returned, or a field
 * of the log was not in snake_case.
 */

import { uncoveredResponses } from '../helpers/contract/covered-responses.ts';
import { misnamedLogFields } from '../helpers/contract/log-fields.ts';
import { cleanUp } from './global-setup.ts';

/** @param options of jest, which show whether the whole tier ran */
export default async function teardown(options: Options): Promise<void> {
  const isFullRun = options.testPathPatterns.patterns.length === 0 && !options.testNamePattern;
  const uncovered = isFullRun ? await uncoveredResponses(process.env.TEST_REQUEST_LOG!) : [];
  const misnamed = await misnamedLogFields(process.env.TEST_REQUEST_LOG!);
  await cleanUp();
  if (misnamed.length > 0) throw new Error(`log fields must be in snake_case: ${misnamed.join(', ')}`);
  if (uncovered.length > 0) {
    throw new Error(`declared in the contract, but never returned in any test: ${uncovered.join(', ')}`);
  }
}

interface Options {
  testPathPatterns: { patterns: string[] };
  testNamePattern?: string;
}
