/** The two TypeScript clients. Their generators come with the packages of this project. */
import { readFileSync } from 'node:fs';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { contract, project, run, type SdkClient, trips } from './client.ts';

const { devDependencies: versions } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};
const withVersion = (name: string) => `${name} ${versions[name]}`;

export const openapiFetch: SdkClient = {
  name: 'openapi-fetch',
  generator: ['openapi-typescript', 'openapi-fetch'].map(withVersion).join(' + '),
  needs: [],
  install: linkPackages,
  async build(folder) {
    // A default is what the server assumes, so it makes no field required. A file is a Blob, not a string.
    const nodes = await openapiTS(JSON.parse(await readFile(contract, 'utf8')), {
      defaultNonNullable: false,
      transform: ({ format }) =>
        format === 'binary' ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob')) : undefined,
    });
    await writeFile(join(folder, 'schema.ts'), astToString(nodes));
    await compileTrip(folder, 'openapi-fetch.ts');
  },
  trip: () => [process.execPath, 'trip.ts'],
};

export const heyApi: SdkClient = {
  name: 'hey-api',
  generator: withVersion('@hey-api/openapi-ts'),
  needs: [],
  install: linkPackages,
  async build(folder) {
    const output = { path: 'client', module: { extension: '.ts' } };
    await writeFile(
      join(folder, 'openapi-ts.config.mjs'),
      `export default ${JSON.stringify({ input: contract, output })};\n`,
    );
    const generator = join(project, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await run(process.execPath, [generator, '--file', 'openapi-ts.config.mjs'], { cwd: folder });
    await compileTrip(folder, 'hey-api.ts');
  },
  trip: () => [process.execPath, 'trip.ts'],
};

async function linkPackages(folder: string): Promise<void> {
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
}

async function compileTrip(folder: string, trip: string): Promise<void> {
  await copyFile(join(trips, 'typescript', trip), join(folder, 'trip.ts'));
  await copyFile(join(trips, 'typescript/support.ts'), join(folder, 'support.ts'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, include: ['**/*.ts'] }));
  await run(process.execPath, [join(project, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: folder });
}

/** As strict as this project is, and the libraries' types are checked too. */
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
  skipLibCheck: false,
};
