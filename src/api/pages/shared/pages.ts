/** The HTML pages and their security headers. Pages are translated when sent. */
import { languageTags } from '../../../contract/languages/language.ts';
import { inLanguage, type Text, t } from '../../../contract/languages/text.ts';
import { passwordCharacters } from '../../../identity/passwords/password-rules.ts';
import { isHost } from '../../../platform/values/host-names.ts';
import type { PageLanguage } from './page-language.ts';
import { templateFunctions } from './page-messages.ts';
import { eta, styleAddress } from './page-templates.ts';
import type { PasskeyForm } from './passkey-forms.ts';
import { passkeyScriptAddress } from './passkey-script.ts';

export interface Page {
  /** Whether it has a form, which can be shown again in another language. */
  hasForm: boolean;
  render(pageLanguage: PageLanguage): { html: string; headers: Record<string, string> };
}

export interface Form {
  /** The target: the page itself. */
  action: string;
  csrf_token: string;
  error?: Text | undefined;
}

/** A form of an interaction, which ends at a client. */
interface ClientForm extends Form {
  client_name: string | Text;
  /** The final redirect target, which CSP `form-action` must allow in advance. */
  redirect_uri: string;
}

export interface LoginForm extends ClientForm {
  email: string;
  forgot: string;
  notice?: Text | undefined;
  /** Whether the page offers sign-in by a company's provider. */
  offersProvider: boolean;
  /** Whether the person chose the password over their company's provider. */
  byPassword?: boolean | undefined;
  /** Where browsers support passkeys. */
  passkey?: PasskeyForm | undefined;
}

export interface ConsentForm extends ClientForm {
  user: { name: string; email: string };
  /** The company that made the app; undefined for a client of the operator. */
  maker: string | undefined;
  /** Whether one of the offered companies isn't the maker. */
  is_foreign: boolean;
  /** The roles an installation may get, if the app will act for a company. */
  installation: { roles: { id: string; name: Text }[] } | undefined;
  is_refused: boolean;
  permissions: Text[];
  companies: { id: string; name: string; role: Text; ticked: boolean }[];
  destination: Text;
}

interface AcceptForm extends Form {
  company: string;
  name: string;
  email: string;
  /** Whether the person already has a password, which they must prove. */
  existing: boolean;
  /** Identity providers of the company, as an alternative. */
  connections: { id: string; name: string }[];
}

interface LinkAccountForm extends Form {
  /** The name of the connection. */
  provider: string;
  email: string;
  passkey?: PasskeyForm | undefined;
  passkey_step: string;
}

interface AddressForm extends Form {
  /** The company that changed its record; undefined if the person requested the change. */
  company: { name: string; person: string } | undefined;
  email: string;
}

interface ForgotForm extends Form {
  email: string;
}

interface ResetForm extends Form {
  email: string;
}

interface SignOutForm extends Form {
  user: { name: string; email: string };
}

interface AccountForm extends Form {
  user: { name: string; email: string };
  companies: { name: string; role: Text }[];
}

export function loginPage(form: LoginForm): Page {
  return page(
    '@sign-in/login',
    { ...form, title: t`Sign in` },
    form.passkey ? withScript(clientPolicy(form)) : clientPolicy(form),
  );
}

export function consentPage(form: ConsentForm): Page {
  return page(
    '@consent',
    { ...form, title: form.installation ? t`Install ${form.client_name}?` : t`Allow ${form.client_name}?` },
    clientPolicy(form),
  );
}

export function acceptPage(form: AcceptForm): Page {
  return page(
    '@accept',
    { ...form, password_characters: passwordCharacters, title: t`Join ${form.company}` },
    secretAddress,
  );
}

export function linkAccountPage(form: LinkAccountForm): Page {
  const data = { ...form, title: t`Do you have an account here already?` };
  return page('@sign-in/link-account', data, form.passkey ? withScript(secretAddress) : secretAddress);
}

export function addressPage(form: AddressForm): Page {
  return page('@address', { ...form, title: t`Confirm your new address` }, secretAddress);
}

export function forgotPage(form: ForgotForm): Page {
  return page('@sign-in/forgot', { ...form, title: t`Forgot your password?` }, ownForm);
}

export function resetPage(form: ResetForm): Page {
  return page(
    '@sign-in/reset',
    { ...form, password_characters: passwordCharacters, title: t`Choose a new password` },
    secretAddress,
  );
}

export function signOutPage(form: SignOutForm): Page {
  return page('@sign-in/sign-out', { ...form, title: t`Sign out?` }, ownForm);
}

interface InstallationForm extends Form {
  app: string;
  company: string;
  because: Text;
}

export function installationPage(form: InstallationForm): Page {
  return page('@installation', { ...form, title: t`Should ${form.app} keep working?` }, secretAddress);
}

export function accountPage(form: AccountForm): Page {
  return page('@account', { ...form, title: t`Your account` }, ownForm);
}

interface Notice {
  title: Text;
  /** The outcome and the next step, as paragraphs. */
  text: Text[];
  link?: { href: string; label: Text } | undefined;
  other?: { href: string; label: Text } | undefined;
}

export function noticePage(notice: Notice): Page {
  return page('@notice', notice, noForm);
}

interface Tested {
  name: string;
  person: string | undefined;
  /** Whether the provider named nothing that identifies the person. */
  isKeyless?: boolean | undefined;
  claims: { name: string; value: string }[];
}

export function testedPage({ name, ...templateData }: Tested): Page {
  return page('@sign-in/tested', { isKeyless: false, ...templateData, title: t`Test of ${name}` }, noForm);
}

interface ErrorNotice {
  title: Text;
  advice: Text | string;
  /** For developers of the app, in English. */
  code: string;
  detail?: string | undefined;
}

export function errorPage(notice: ErrorNotice): Page {
  return page('@error', notice, noForm);
}

interface Policy {
  formAction: string;
  referrer: 'no-referrer' | 'same-origin';
  script?: true;
}

export const noForm: Policy = { formAction: "'none'", referrer: 'no-referrer' };
/** `no-referrer` would also hide the Origin of our own forms. */
export const ownForm: Policy = { formAction: "'self'", referrer: 'same-origin' };
/** The URL grants access, so nothing the page loads or links to may see it (Referrer-Policy). */
export const secretAddress: Policy = { formAction: "'self'", referrer: 'no-referrer' };

export function clientPolicy({ redirect_uri: redirectUri }: Pick<ClientForm, 'redirect_uri'>): Policy {
  return { ...ownForm, formAction: `'self' ${sourceOf(redirectUri)}` };
}

export function withScript(policy: Policy): Policy {
  return { ...policy, script: true };
}

export function page(template: string, data: object, policy: Policy): Page {
  const headers = headersOf(policy);
  const script = policy.script && passkeyScriptAddress;
  return {
    hasForm: 'csrf_token' in data,
    render({ language, links }) {
      const tag = languageTags[language];
      const templateData = {
        ...inLanguage(data, language),
        ...templateFunctions(language, eta.config.escapeFunction as (text: string) => string),
        tag,
        links,
        style: styleAddress,
        script,
      };
      return { html: eta.render(template, templateData), headers: { ...headers, 'Content-Language': tag } };
    },
  };
}

function headersOf({ formAction, referrer, script }: Policy): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src 'self'; ${script ? "script-src 'self'; " : ''}form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    // `no-transform`: Cloudflare would replace email addresses by a script, which the page's policy blocks.
    'Cache-Control': 'no-store, no-transform',
    'Referrer-Policy': referrer,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/**
 * A redirect URI as a CSP source: the origin, or the scheme for apps and IPv6 addresses. An invalid host could inject a
 * directive.
 */
function sourceOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (hostname && !isHost(hostname)) return "'self'";
  const usesOrigin = /^https?:$/.test(protocol) && !hostname.startsWith('[');
  return usesOrigin ? `${protocol}//${host}` : protocol;
}
