/** The signing secret of forwarded events, stored locally so that it stays the same between runs. */
import { randomBytes } from 'node:crypto';
import { readConfigFile, writeConfigFile } from '../account/config-folder.ts';
import type { Environment } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';

const fileName = 'webhook-secret';
/** Standard Webhooks format: `whsec_` and 24 to 64 bytes in base64. */
const pattern = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

/** @param userSecret a secret from the user, which is not stored. @throws CliError for a malformed secret */
export async function signingSecret(environment: Environment, userSecret: string | undefined): Promise<string> {
  if (userSecret !== undefined) {
    if (pattern.test(userSecret)) return userSecret;
    throw new CliError('the secret must be whsec_ and 24 to 64 bytes in base64, as shown for subscriptions', 2);
  }
  const stored = (await readConfigFile(environment, fileName))?.trim();
  if (stored && pattern.test(stored)) return stored;
  const generated = `whsec_${randomBytes(32).toString('base64')}`;
  await writeConfigFile(environment, fileName, `${generated}\n`);
  return generated;
}
