/** The chapters in order. To add one, export its steps from a file, and list it here. */
import { access } from './access.ts';
import { apps, installerGone } from './apps.ts';
import { changes } from './changes.ts';
import { collaborators } from './collaborators.ts';
import { files } from './files.ts';
import { invitation } from './invitation.ts';
import { permissions } from './permissions.ts';
import { refusals } from './refusals.ts';
import { sheets } from './sheets.ts';
import { signingIn } from './signing-in.ts';
import { sourceSystem } from './source-system.ts';
import type { Step } from './story.ts';
import { webhooks } from './webhooks.ts';

export const steps: Step[] = [
  ...signingIn,
  ...collaborators,
  ...changes,
  ...webhooks,
  ...refusals,
  ...files,
  ...sheets,
  ...sourceSystem,
  ...permissions,
  ...invitation,
  ...apps,
  ...access,
  ...installerGone,
];
