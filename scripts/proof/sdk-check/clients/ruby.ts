/** The Ruby client of openapi-generator, with Typhoeus, which must be installed: no other client here needs its registry. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needsCommand, run, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

export const ruby: SdkClient = {
  name: 'ruby',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [
    needsCommand('ruby'),
    { label: 'typhoeus for ruby (Debian: ruby-typhoeus)', probe: 'ruby -e "require %q(typhoeus)"' },
    ...needsJava,
  ],
  install: installOpenapiGenerator,
  async build(folders) {
    await generateClient(folders, 'ruby', {
      properties: { gemName: 'collaborators', moduleName: 'Collaborators' },
      // Its error class has the same name as one of our schemas.
      flags: ['--model-name-mappings', 'ApiError=ErrorBody'],
    });
    await copyFile(join(trips, 'ruby/trip.rb'), join(folders.work, 'trip.rb'));
    const all = 'require "collaborators"; Collaborators.constants.each { |name| Collaborators.const_get(name) }';
    await run('ruby', ['-Iclient/lib', '-e', all], { cwd: folders.work });
  },
  trip: () => ['ruby', '-Iclient/lib', 'trip.rb'],
};
