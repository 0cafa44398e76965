/** Renders a mail as text and HTML. Sanitizes user-chosen names, which could inject headers, lines, or links. */
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { languageTags } from '../../contract/languages/language.ts';
import { inLanguage, t } from '../../contract/languages/text.ts';
import { defuseLinks } from './defuse-links.ts';
import { type MailMessages, messagesOf } from './mail-messages.ts';
import type { Mail } from './mail-queue.ts';

/** Values that users can choose freely. */
const freeWords = new Set(['name', 'company', 'description']);

const html = new Eta({ autoEscape: true, autoTrim: 'nl' });
html.loadTemplate('@mail', readFileSync(new URL('./templates/mail.html.eta', import.meta.url), 'utf8'));

/** The same as on the pages. */
const brand = t`Collaborators`;

type RenderedMessages = ReturnType<typeof inLanguage<MailMessages>>;

export interface RenderedMail {
  template: Mail['template'];
  to: string;
  /** For `Content-Language` (RFC 3282). */
  language: string;
  subject: string;
  text: string;
  html: string;
}

/** @param baseUrl public address of the service, without a trailing slash, for console links */
export function renderMail({ template, to, language, values }: Mail, baseUrl: string): RenderedMail {
  const sanitized = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const line = toSingleLine(value);
      return [name, freeWords.has(name) ? defuseLinks(String(line)) : line];
    }),
  );
  const messages = inLanguage(messagesOf(template, sanitized as unknown as Mail['values']), language);
  if (messages.link?.href.startsWith('/')) messages.link.href = baseUrl + messages.link.href;
  const tag = languageTags[language];
  return {
    template,
    to: toSingleLine(to),
    language: tag,
    subject: messages.subject,
    text: plain(messages),
    html: html.render('@mail', { ...messages, tag, brand: brand.translate(language) }),
  };
}

/** Paragraphs are single lines for the mail program to wrap: wrapped here, a long name could start a line. */
function plain({ heading, greeting, news, link, closing }: RenderedMessages): string {
  const linked = link ? [`${link.label}:`, link.href, ...(link.limits ? [link.limits] : [])] : [];
  return `${[greeting ?? heading, ...news, ...linked, closing].join('\n\n')}\n`;
}

function toSingleLine<T>(value: T): T {
  return typeof value === 'string' ? (value.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() as T) : value;
}
