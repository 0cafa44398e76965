/** The only script of the pages, because passkeys need one: the library's file, followed by ours. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const library = join(
  dirname(createRequire(import.meta.url).resolve('@simplewebauthn/browser')),
  '../dist/bundle/index.umd.min.js',
);
const own = new URL('../templates/sign-in/passkeys.js', import.meta.url);

export const passkeyScript = [library, own].map((file) => readFileSync(file, 'utf8')).join('\n');
const version = createHash('sha256').update(passkeyScript).digest('base64url').slice(0, 12);

export const passkeyScriptAddress = `/oauth/passkeys.js?v=${version}`;
