/** The C# client of openapi-generator: generated but not compiled. */
import type { SdkClient } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

export const csharp: SdkClient = {
  name: 'csharp',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: needsJava,
  install: installOpenapiGenerator,
  build: (folders) => generateClient(folders, 'csharp', { properties: { packageName: 'Collaborators' } }),
  trip: () => ({ not_compiled: 'not compiled, there is no program for it' }),
};
