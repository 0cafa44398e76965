/** The page templates (Eta) and their style sheet, read once. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { commonStyle } from '../../common-style.ts';

const folder = new URL('../templates/', import.meta.url);
export const style = commonStyle + readFileSync(new URL('style.css', folder), 'utf8');
/** The address changes with the content. */
export const styleAddress = `/oauth/style.css?v=${createHash('sha256').update(style).digest('base64url').slice(0, 12)}`;

export const eta = new Eta({ autoEscape: true });
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const name = file.replaceAll('\\', '/');
  if (name.endsWith('.eta')) eta.loadTemplate(`@${name.slice(0, -4)}`, readFileSync(new URL(name, folder), 'utf8'));
}
