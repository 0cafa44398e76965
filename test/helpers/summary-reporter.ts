/** Ends every run with its slowest files, and with one plain line that any CI can read. */
import { relative } from 'node:path';

const most_slow = 10;

/** What is used of jest's results. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that failed before their first test. */
  numRuntimeErrorTestSuites: number;
  testResults: { testFilePath: string; perfStats: { runtime: number } }[];
}

export default class SummaryReporter {
  onRunComplete(_contexts: unknown, results: Results): void {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const line = `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`;
    // Behind the runner's own summary.
    process.once('exit', () => {
      if (results.testResults.length > most_slow) console.log(slowest(results));
      console.log(line);
    });
  }
}

function slowest({ testResults }: Results): string {
  const files = testResults.toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime).slice(0, most_slow);
  const lines = files.map(({ testFilePath, perfStats }) => {
    const seconds = (perfStats.runtime / 1000).toFixed(1).padStart(8);
    return `${seconds} s  ${relative(process.cwd(), testFilePath)}`;
  });
  return ['', 'The slowest files:', ...lines, ''].join('\n');
}
