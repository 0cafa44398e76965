/** The TypeScript clients. The first two generators are dependencies of this project. */
import { readFileSync } from 'node:fs';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { type Folders, project, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

const { devDependencies: versions } = JSON.parse(readFileSync(join(project, 'scripts/package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};
const withVersion = (name: string) => `${name} ${versions[name]}`;
const orvalVersion = '8.38.0';

export const openapiFetch: SdkClient = {
  name: 'openapi-fetch',
  generator: ['openapi-typescript', 'openapi-fetch'].map(withVersion).join(' + '),
  document: 'openapi.json',
  length: 'whole',
  needs: [],
  install: async () => {},
  async build(folders) {
    // Defaults are applied by the server, so they make no field required. A file is a Blob, not a string.
    const nodes = await openapiTS(JSON.parse(await readFile(folders.document, 'utf8')), {
      defaultNonNullable: false,
      transform: ({ format }) =>
        format === 'binary' ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob')) : undefined,
    });
    await writeFile(join(folders.work, 'schema.ts'), astToString(nodes));
    await compileTrip(folders, 'openapi-fetch.ts');
  },
  trip: () => [process.execPath, 'trip.ts'],
};

export const heyApi: SdkClient = {
  name: 'hey-api',
  generator: withVersion('@hey-api/openapi-ts'),
  document: 'openapi.json',
  length: 'whole',
  needs: [],
  install: async () => {},
  async build(folders) {
    const output = { path: 'client', module: { extension: '.ts' } };
    await writeFile(
      join(folders.work, 'openapi-ts.config.mjs'),
      `export default ${JSON.stringify({ input: folders.document, output })};\n`,
    );
    const generator = join(project, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await run(process.execPath, [generator, '--file', 'openapi-ts.config.mjs'], { cwd: folders.work });
    await compileTrip(folders, 'hey-api.ts');
  },
  trip: () => [process.execPath, 'trip.ts'],
};

export const orval: SdkClient = {
  name: 'orval',
  generator: `orval ${orvalVersion}`,
  document: 'openapi.json',
  length: 'short',
  needs: [],
  async install(tools) {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', '--prefix', tools, ...flags, `orval@${orvalVersion}`], { cwd: tools });
  },
  async build(folders) {
    const { tools, work, document } = folders;
    await copyFile(join(trips, 'typescript/orval-send.ts'), join(work, 'send.ts'));
    const output = {
      target: './client.ts',
      client: 'fetch',
      headers: true,
      override: { mutator: { path: './send.ts', name: 'send', extension: '.ts' } },
    };
    const config = { collaborators: { input: document, output } };
    await writeFile(join(work, 'orval.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    await run(join(tools, 'node_modules/.bin/orval'), ['--config', 'orval.config.mjs'], { cwd: work });
    await compileTrip(folders, 'orval.ts');
  },
  trip: () => [process.execPath, 'trip.ts'],
};

export const typescriptFetch: SdkClient = {
  name: 'typescript-fetch',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: needsJava,
  install: installOpenapiGenerator,
  async build(folders) {
    const properties = { importFileExtension: '.js', supportsES6: true };
    const flags = ['--global-property', 'skipFormModel=false'];
    await generateClient(folders, 'typescript-fetch', { properties, flags });
    const lax = { noUncheckedIndexedAccess: false, noUnusedLocals: false, noUnusedParameters: false };
    // Its code has enums and imports types as values, so it is compiled rather than run from source.
    const emitting = { verbatimModuleSyntax: false, erasableSyntaxOnly: false, allowImportingTsExtensions: false };
    await compileTrip(folders, 'typescript-fetch.ts', { ...lax, ...emitting, noEmit: false, outDir: 'dist' });
  },
  trip: () => [process.execPath, 'dist/trip.js'],
};

/** Compiles the program with the client in a separate project that uses our packages. */
async function compileTrip({ work }: Folders, trip: string, options: object = {}): Promise<void> {
  await symlink(join(project, 'node_modules'), join(work, 'node_modules'));
  await copyFile(join(trips, 'typescript', trip), join(work, 'trip.ts'));
  await copyFile(join(trips, 'typescript/support.ts'), join(work, 'support.ts'));
  await writeFile(join(work, 'package.json'), '{ "type": "module" }\n');
  const tsconfig = { compilerOptions: { ...strict, ...options }, include: ['**/*.ts'], exclude: ['dist'] };
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(tsconfig));
  await run(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: work });
}

/** As strict as this project, except that the types of the libraries are not checked, which takes most of the time. */
const strict = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};
