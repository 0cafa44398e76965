/** The Rust clients. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, needsCommand, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

const needs = [needsCommand('cargo')];
/** Libraries are compiled once for both. */
const env = { CARGO_TARGET_DIR: join(cache, 'rust-target') };

export const rust: SdkClient = {
  name: 'rust',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [...needs, ...needsJava],
  install: installOpenapiGenerator,
  async build(folders) {
    await generateClient(folders, 'rust', { properties: { packageName: 'collaborators' } });
    // It names the type of a field in a form twice.
    const file = join(folders.work, 'client/src/apis/documents_api.rs');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('models::models::', 'models::'));
    await cp(join(trips, 'rust'), join(folders.work, 'trip'), { recursive: true });
    await run('cargo', ['build', '--quiet'], { cwd: join(folders.work, 'trip'), env });
  },
  trip: () => [join(env.CARGO_TARGET_DIR, 'debug/trip')],
};

const progenitor_version = '0.15.1';

export const progenitor: SdkClient = {
  name: 'progenitor',
  generator: `progenitor ${progenitor_version}`,
  document: 'openapi-3.0.json',
  length: 'short',
  needs,
  async install(tools) {
    const tool = ['cargo-progenitor', '--version', progenitor_version, '--locked', '--root', tools];
    await run('cargo', ['install', '--quiet', ...tool], { cwd: tools, env });
  },
  async build({ tools, work, document }) {
    const target = ['-o', 'client', '-n', 'collaborators', '-v', '1.0.0', '--interface', 'builder'];
    await run(join(tools, 'bin/cargo-progenitor'), ['progenitor', '-i', document, ...target], { cwd: work });
    await mkdir(join(work, 'trip'));
    await cp(join(trips, 'rust-progenitor'), join(work, 'trip'), { recursive: true });
    await run('cargo', ['build', '--quiet'], { cwd: join(work, 'trip'), env });
  },
  trip: () => [join(env.CARGO_TARGET_DIR, 'debug/trip-progenitor')],
};
