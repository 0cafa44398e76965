/**
 * Renders a mail as text and as HTML, from its templates.
 *
 * Names are chosen by people: characters that could start a new line, in a header or in the text, become spaces, and what
 * looks like an address gets some.
 */
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { harmlessWords } from './harmless-words.ts';
import type { Mail } from './mail-queue.ts';

const subjects: Record<Mail['template'], (values: never) => string> = {
  invitation: ({ company }: { company: string }) => `${company} invites you`,
  password_reset: () => 'Choose a new password',
  password_changed: () => 'Your password was changed',
  confirm_address: () => 'Confirm your new address',
  address_changed: () => 'You sign in with another address',
  webhook_deactivated: ({ host }: { host: string }) => `Webhook to ${host} was switched off`,
};

/** Values that anybody may have chosen freely. */
const free_words = new Set(['name', 'company', 'description']);

const folder = new URL('./templates/', import.meta.url);
const html = new Eta({ autoEscape: true, autoTrim: false });
const plain = new Eta({ autoEscape: false, autoTrim: false });
for (const name of ['layout', ...Object.keys(subjects)]) {
  html.loadTemplate(`@${name}`, readFileSync(new URL(`${name}.html.eta`, folder), 'utf8'));
  if (name !== 'layout') plain.loadTemplate(`@${name}`, readFileSync(new URL(`${name}.txt.eta`, folder), 'utf8'));
}

export interface RenderedMail {
  template: Mail['template'];
  to: string;
  subject: string;
  text: string;
  html: string;
}

export function renderMail({ template, to, values }: Mail): RenderedMail {
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const line = inOneLine(value);
      return [name, free_words.has(name) ? harmlessWords(String(line)) : line];
    }),
  );
  const subject = subjects[template](shown as never);
  const content = html.render(`@${template}`, shown);
  return {
    template,
    to: inOneLine(to),
    subject,
    text: plain.render(`@${template}`, shown),
    html: html.render('@layout', { subject, content }),
  };
}

function inOneLine<T>(value: T): T {
  return typeof value === 'string' ? (value.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() as T) : value;
}
