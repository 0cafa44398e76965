/** The Rust client. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, needsCommand, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

/** Shared build folder, so that libraries are compiled once. */
const env = { CARGO_TARGET_DIR: join(cache, 'rust-target') };

export const rust: SdkClient = {
  name: 'rust',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [needsCommand('cargo'), ...needsJava],
  install: installOpenapiGenerator,
  async build(folders) {
    await generateClient(folders, 'rust', { properties: { packageName: 'collaborators' } });
    // The generator repeats the module prefix of a form field's type.
    const file = join(folders.work, 'client/src/apis/documents_api.rs');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('models::models::', 'models::'));
    await cp(join(trips, 'rust'), join(folders.work, 'trip'), { recursive: true });
    await run('cargo', ['build', '--quiet'], { cwd: join(folders.work, 'trip'), env });
  },
  trip: () => [join(env.CARGO_TARGET_DIR, 'debug/trip')],
};
