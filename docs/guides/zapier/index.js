/** The app definition that Zapier loads. */
import { createRequire } from 'node:module';
import zapier from 'zapier-platform-core';
import { authentication } from './lib/authentication.js';
import { companies } from './lib/companies.js';
import { createCollaborator } from './lib/create-collaborator.js';
import { event } from './lib/event.js';
import { addToken, throwApiErrors } from './lib/requests.js';

const { version } = createRequire(import.meta.url)('./package.json');

export default {
  version,
  platformVersion: zapier.version,
  authentication,
  beforeRequest: [addToken],
  afterResponse: [throwApiErrors],
  triggers: { [event.key]: event, [companies.key]: companies },
  creates: { [createCollaborator.key]: createCollaborator },
};
