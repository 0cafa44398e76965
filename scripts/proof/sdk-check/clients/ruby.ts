/** The Ruby client, by openapi-generator on Typhoeus, which has to be there: its registry is asked by no other client here. */
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
    { what: 'typhoeus for ruby (Debian: ruby-typhoeus)', probe: 'ruby -e "require %q(typhoeus)"' },
    ...needsJava,
  ],
  install: installOpenapiGenerator,
  async build(folders) {
    await generateClient(folders, 'ruby', {
      properties: { gemName: 'collaborators', moduleName: 'Collaborators' },
      // Its own class for refusals has the name of one of our schemas.
      flags: ['--model-name-mappings', 'ApiError=ErrorBody'],
    });
    await copyFile(join(trips, 'ruby/trip.rb'), join(folders.work, 'trip.rb'));
    const all = 'require "collaborators"; Collaborators.constants.each { |name| Collaborators.const_get(name) }';
    await run('ruby', ['-Iclient/lib', '-e', all], { cwd: folders.work });
  },
  trip: () => ['ruby', '-Iclient/lib', 'trip.rb'],
};
