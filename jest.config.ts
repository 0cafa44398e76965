/**
 * Tests in three tiers, which the place and the name of a file tell (see test/README.md):
 * unit needs no database, api has one and runs in the test's own process, system starts processes beside it.
 * Those in test/cluster need a machine that has Citus, and are of no tier.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { Config } from 'jest';
import { clusterExclusions } from './test/runner/cluster-exclusions.ts';

type Project = Exclude<NonNullable<Config['projects']>[number], string>;

const common: Project = {
  testEnvironment: '<rootDir>/test/runner/environment.ts',
  runtime: '<rootDir>/test/runner/runtime.ts',
  // What was downloaded brings tests and snapshots of its own.
  modulePathIgnorePatterns: ['<rootDir>/\\.data/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {}, // Node reads TypeScript
};

/** Of a package: how it is started, how it is published, and what it makes of large input. */
const commandsOfPackages = '/packages/[^/]+/test/(command/)?(action|command|install|package|large)\\.test\\.ts$';

const leftOut = process.env.TEST_CLUSTER ? Object.keys(clusterExclusions).map((file) => `<rootDir>/${file}`) : [];

const config: Config = {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.unit.test.ts', '<rootDir>/packages/*/test/**/*.test.ts'],
      testPathIgnorePatterns: [commandsOfPackages],
      setupFiles: ['<rootDir>/test/runner/without-database.ts'],
    },
    {
      ...common,
      displayName: 'api',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/(system|cluster|proxies)/', '\\.unit\\.test\\.ts$', ...leftOut],
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
    // Where there are Caddy or nginx: `make proof NAME=proxies`.
    {
      ...common,
      displayName: 'proxies',
      testMatch: ['<rootDir>/test/proxies/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/runner/watch-statements.ts'],
      globalSetup: '<rootDir>/test/runner/global-setup.ts',
      globalTeardown: '<rootDir>/test/runner/global-teardown.ts',
    },
    // Where there is Citus: `make proof NAME=cluster`.
    { ...common, displayName: 'cluster', testMatch: ['<rootDir>/test/cluster/**/*.test.ts'] },
  ],
  testSequencer: '<rootDir>/test/runner/order.ts',
  reporters: ['default', '<rootDir>/test/runner/summary-reporter.ts'],
  // Far above what any test takes: a bound for what hangs, which a busy machine must not reach.
  testTimeout: 300_000,
  maxWorkers: workersOf(availableParallelism(), memory()),
  // A worker that has grown gives way to a new one between two files. Only its JavaScript heap counts here; all of its
  // memory is about twice as much.
  workerIdleMemoryLimit: '400MB',
};

export default config;

/**
 * One more than cores, for one of them waits: for an answer, a lock, a timer. As long as each has 1.5 GB: half for itself,
 * half for what its tests start.
 */
function workersOf(cores: number, memoryBytes: number): number {
  return Math.max(1, Math.min(cores + 1, Math.floor(memoryBytes / 1.5e9)));
}

/** In bytes: of the machine, or as much of it as this container may have. */
function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
