/** The secret that forwarded events are signed with: kept on this machine, so that it is the same every time. */
import { randomBytes } from 'node:crypto';
import { readConfigFile, writeConfigFile } from '../account/config-folder.ts';
import { Failure } from '../terminal/failure.ts';
import type { Environment } from '../terminal/place.ts';

const fileName = 'webhook-secret';
/** As Standard Webhooks has it: `whsec_` and 24 to 64 bytes in base64. */
const form = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

/** @param given by the person; then nothing is kept. @throws Failure for one that no receiver could verify with */
export async function signingSecret(environment: Environment, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (form.test(given)) return given;
    throw new Failure(
      'a secret is whsec_ and 24 to 64 bytes in base64, as the service shows those of subscriptions',
      2,
    );
  }
  const kept = (await readConfigFile(environment, fileName))?.trim();
  if (kept && form.test(kept)) return kept;
  const made = `whsec_${randomBytes(32).toString('base64')}`;
  await writeConfigFile(environment, fileName, `${made}\n`);
  return made;
}
