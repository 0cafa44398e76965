/** The pages people see: templates, the one style sheet, and the headers that keep the pages safe. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';

export interface Page {
  html: string;
  headers: Record<string, string>;
}

/** What every form carries back. */
interface Form {
  /** Where the form goes to: the page itself. */
  action: string;
  csrf_token: string;
  client_name: string;
  /** Where the browser goes after the last form; a browser must know it beforehand (CSP `form-action`). */
  redirect_uri: string;
}

export interface LoginForm extends Form {
  email: string;
  /** Why the last attempt failed. */
  error?: string;
}

export interface ConsentForm extends Form {
  user: { name: string; email: string };
  /** In plain words. */
  permissions: string[];
  companies: { id: string; name: string; role: string; ticked: boolean }[];
  /** Where the user is taken afterwards, as people read it. */
  destination: string;
  error?: string;
}

const folder = new URL('./pages/', import.meta.url);
export const style = readFileSync(new URL('style.css', folder), 'utf8');
const style_version = createHash('sha256').update(style).digest('base64url').slice(0, 12);

const eta = new Eta({ autoEscape: true });
for (const name of ['layout', 'login', 'consent', 'error']) {
  eta.loadTemplate(`@${name}`, readFileSync(new URL(`${name}.eta`, folder), 'utf8'));
}

export function loginPage(form: LoginForm): Page {
  return page('@login', { ...form, title: 'Sign in' }, form.redirect_uri);
}

export function consentPage(form: ConsentForm): Page {
  return page('@consent', { ...form, title: `Allow ${form.client_name}?` }, form.redirect_uri);
}

export interface ErrorNotice {
  title: string;
  /** What happened and what to do now, for the person in front of the page. */
  advice: string;
  /** For the makers of the app. */
  code: string;
  detail?: string | undefined;
}

export function errorPage(notice: ErrorNotice): Page {
  return page('@error', notice, undefined);
}

function page(template: string, data: object, redirect_uri: string | undefined): Page {
  const html = eta.render(template, { ...data, style: `/oauth/style.css?v=${style_version}` });
  const form_action = redirect_uri === undefined ? "'none'" : `'self' ${sourceOf(redirect_uri)}`;
  return {
    html,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'self'; form-action ${form_action}; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin', // `no-referrer` would also hide the Origin of our own forms
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
  };
}

/** A redirect URI as CSP names it: by origin; by scheme for apps, and for IPv6 addresses, which CSP has no form for. */
function sourceOf(redirect_uri: string): string {
  const { protocol, host, hostname } = new URL(redirect_uri);
  const by_origin = /^https?:$/.test(protocol) && !hostname.startsWith('[');
  return by_origin ? `${protocol}//${host}` : protocol;
}
