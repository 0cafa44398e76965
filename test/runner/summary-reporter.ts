/**
 * Jest's default reporter, which at the end of a run also prints the slowest files and a one-line summary that any CI can parse.
 * With FAILED_FILES=path, writes the names of failed files there, one per line.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { DefaultReporter } from '@jest/reporters';

const maxSlow = 10;

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that failed before their first test. */
  numRuntimeErrorTestSuites: number;
  testResults: FileResults[];
}

interface FileResults {
  testFilePath: string;
  numFailingTests: number;
  /** Why the file failed before its first test. */
  testExecError?: object;
  perfStats: { runtime: number };
}

export default class SummaryReporter extends DefaultReporter {
  /**
   * Leaves out the counts of unfinished files. With several projects, jest also keeps those of finished files, and counts all again
   * ten times a second, which took 3 % of a run.
   */
  override onTestCaseResult(): void {}

  override onRunComplete(_contexts?: unknown, results?: Results): void {
    super.onRunComplete();
    if (!results) return;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
    if (process.env.FAILED_FILES) writeFileSync(process.env.FAILED_FILES, failed(results));
    // After jest's own summary.
    process.once('exit', () => {
      if (results.testResults.length > maxSlow) console.log(slowest(results));
      console.log(line);
    });
  }
}

function failed({ testResults }: Results): string {
  return testResults
    .filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError)
    .map(({ testFilePath }) => `${relative(process.cwd(), testFilePath)}\n`)
    .join('');
}

function slowest({ testResults }: Results): string {
  const files = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, maxSlow);
  const lines = files.map(({ testFilePath, perfStats }) => {
    const seconds = (perfStats.runtime / 1000).toFixed(1).padStart(8);
    return `${seconds} s  ${relative(process.cwd(), testFilePath)}`;
  });
  return ['', 'The slowest files:', ...lines, ''].join('\n');
}
