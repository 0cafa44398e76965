/** The PHP client of openapi-generator, with Guzzle, which must be installed: no other client here needs its registry. */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { needsCommand, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

export const php: SdkClient = {
  name: 'php',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [
    needsCommand('php'),
    {
      label: 'guzzlehttp/guzzle on the include path of php (Debian: php-guzzlehttp-guzzle)',
      probe: `php -r "require 'GuzzleHttp/autoload.php';"`,
    },
    ...needsJava,
  ],
  install: installOpenapiGenerator,
  async build(folders) {
    await generateClient(folders, 'php', { properties: { invokerPackage: 'Collaborators' } });
    const lib = join(folders.work, 'client/lib');
    for (const file of await readdir(lib, { recursive: true })) {
      if (file.endsWith('.php')) await run('php', ['-l', join(lib, file)], { cwd: folders.work });
    }
    await copyFile(join(trips, 'php/trip.php'), join(folders.work, 'trip.php'));
  },
  trip: () => ['php', 'trip.php'],
};
