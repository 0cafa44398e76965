/** The page templates (Eta) and their style sheet, read once. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { commonStyle } from '../../common-style.ts';

const folder = new URL('../templates/', import.meta.url);
export const style = commonStyle + readFileSync(new URL('style.css', folder), 'utf8');
/** The address changes with the content. */
export const styleAddress = `/oauth/style.css?v=${createHash('sha256').update(style).digest('base64url').slice(0, 12)}`;

const templates = [
  'layout',
  'sign-in/login',
  'consent',
  'sign-in/new-password',
  'accept',
  'sign-in/link-account',
  'address',
  'sign-in/forgot',
  'sign-in/reset',
  'sign-in/sign-out',
  'sign-in/passkey',
  'sign-in/proof',
  'sign-in/set-up',
  'sign-in/recovery-codes',
  'sign-in/second-factor',
  'installation',
  'account',
  'account/name',
  'account/address',
  'account/password',
  'account/devices',
  'account/apps',
  'account/companies',
  'account/leave',
  'front',
  'missing',
  'notice',
  'error',
  'sign-in/tested',
];
export const eta = new Eta({ autoEscape: true });
for (const name of templates) eta.loadTemplate(`@${name}`, readFileSync(new URL(`${name}.eta`, folder), 'utf8'));
