/**
 * Test tiers, by path and file name (see test/README.md): unit needs no database, api runs the service with a database in the
 * test's process, and system starts other processes. test/cluster needs Citus and belongs to no tier.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { Config } from 'jest';
import { clusterExclusions } from './test/runner/cluster-exclusions.ts';

type Project = Exclude<NonNullable<Config['projects']>[number], string>;

const common: Project = {
  testEnvironment: '<rootDir>/test/runner/environment.ts',
  runtime: '<rootDir>/test/runner/runtime.ts',
  // Downloads contain tests and snapshots of their own.
  modulePathIgnorePatterns: ['<rootDir>/\\.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {}, // Node reads TypeScript
};

/** Tests of packages that start processes, install the package, or use large input. */
const packageSystemTests = '/packages/[^/]+/test/(command/)?(action|command|install|package|large)\\.test\\.ts$';

const excluded = process.env.TEST_CLUSTER ? Object.keys(clusterExclusions).map((file) => `<rootDir>/${file}`) : [];

const config: Config = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.unit.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
      testPathIgnorePatterns: [packageSystemTests],
      setupFiles: ['<rootDir>/test/runner/without-database.ts'],
    },
    {
      ...common,
      displayName: 'api',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/(system|cluster|proxies)/', '\\.unit\\.test\\.ts$', ...excluded],
      setupFilesAfterEnv: ['<rootDir>/test/runner/watch-statements.ts'],
      globalSetup: '<rootDir>/test/runner/global-setup.ts',
      globalTeardown: '<rootDir>/test/runner/api-teardown.ts',
    },
    {
      ...common,
      displayName: 'system',
      testMatch: [
        '<rootDir>/test/system/**/*.test.ts',
        '<rootDir>/packages/*/test/{,command/}{action,command,install,package,large}.test.ts',
      ],
      setupFilesAfterEnv: ['<rootDir>/test/runner/watch-statements.ts'],
      globalSetup: '<rootDir>/test/runner/global-setup.ts',
      globalTeardown: '<rootDir>/test/runner/global-teardown.ts',
    },
    // Needs Caddy or nginx: `make proof NAME=proxies`.
    {
      ...common,
      displayName: 'proxies',
      testMatch: ['<rootDir>/test/proxies/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/runner/watch-statements.ts'],
      globalSetup: '<rootDir>/test/runner/global-setup.ts',
      globalTeardown: '<rootDir>/test/runner/global-teardown.ts',
    },
    // Needs Citus: `make proof NAME=cluster`.
    { ...common, displayName: 'cluster', testMatch: ['<rootDir>/test/cluster/**/*.test.ts'] },
  ],
  testSequencer: '<rootDir>/test/runner/order.ts',
  reporters: ['<rootDir>/test/runner/summary-reporter.ts', 'summary'],
  // Ends hanging tests. Far longer than any test takes, even on a busy machine.
  testTimeout: 300_000,
  maxWorkers: workersOf(availableParallelism(), memory()),
  // Replaces a worker between files once its JavaScript heap exceeds this; its whole memory is about twice that.
  workerIdleMemoryLimit: '400MB',
};

export default config;

/**
 * One more than there are cores, because workers often wait for responses, locks, and timers. Each needs 1.5 GB, half of it for
 * the processes that its tests start.
 */
function workersOf(cores: number, memoryBytes: number): number {
  return Math.max(1, Math.min(cores + 1, Math.floor(memoryBytes / 1.5e9)));
}

/** Memory in bytes of the machine, or the limit of the container. */
function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
