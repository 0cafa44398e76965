/** The Go clients. */
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { needsCommand, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const needs = [needsCommand('go')];

export const go: SdkClient = {
  name: 'go',
  generator: 'oapi-codegen v2.8.2',
  document: 'openapi.json',
  length: 'whole',
  needs,
  async install(tools) {
    await cp(join(trips, 'go'), tools, { recursive: true });
    await run('go', ['install', generator], { cwd: tools, env: { GOBIN: join(tools, 'bin') } });
    await run('go', ['mod', 'download'], { cwd: tools });
  },
  async build({ tools, work, document }) {
    await cp(join(trips, 'go'), work, { recursive: true });
    await run(join(tools, 'bin/oapi-codegen'), ['-config', 'oapi-codegen.yaml', document], { cwd: work });
    await run('go', ['vet', './...'], { cwd: work });
    await run('go', ['build', '-o', 'bin/trip', '.'], { cwd: work });
  },
  trip: () => ['bin/trip'],
};

export const goByOpenapiGenerator: SdkClient = {
  name: 'go-openapi-generator',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [...needs, ...needsJava],
  install: installOpenapiGenerator,
  async build(folders) {
    const properties = { packageName: 'collaborators', enumClassPrefix: true };
    const flags = ['--git-host', 'example.com', '--git-user-id', 'trip', '--git-repo-id', 'collaborators'];
    await generateClient(folders, 'go', { properties, flags });
    const client = join(folders.work, 'client');
    await mkdir(join(client, 'trip'));
    await copyFile(join(trips, 'go-openapi-generator/main.go'), join(client, 'trip/main.go'));
    await run('go', ['mod', 'download'], { cwd: client });
    await run('go', ['vet', '.', './trip'], { cwd: client }); // its own tests need an undeclared library
    await run('go', ['build', '-o', 'bin/trip', './trip'], { cwd: client });
  },
  trip: () => ['client/bin/trip'],
};
