/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const kindNames = () => ({
  confidential: t`with a secret`,
  public: t`public`,
});

export const appFieldLabels = () => ({
  name: t`Name`,
  description: t`Description`,
  website: t`Website`,
  logo_url: t`Logo`,
  scopes: t`Permissions it can request`,
  visibility: t`Who can authorize it`,
  kind: t`Kind`,
  redirect_uris: t`Redirect URIs`,
});

export const fieldHints = () => ({
  name: t`Shown to people when they authorize the app.`,
  description: t`The purpose of the app.`,
  website: t`A page about the app (https).`,
  logo_url: t`URL of an image for lists of apps (https). Sign-in pages don't show it.`,
  redirects: t`Where people return after they sign in: an exact https address. On localhost, http and any port work too.`,
  scopes: t`Request as little as possible: people read this before they agree. An app never gets more than the role of the person who authorizes it.`,
});

export const kindHints = () => ({
  confidential: t`Runs on a server and can keep a secret (confidential)`,
  public: t`Runs in a browser, on a phone or on a desktop and can't keep a secret (public)`,
});

export const visibilityNames = () => ({
  company: t`People of this company`,
  everyone: t`People of every company, once the operator of the service approves it`,
});

export const consequenceNames = () => ({
  approval: t`The operator's approval ends. People of other companies can't authorize the app until it's approved again.`,
  scopes: t`Permissions that you removed end within a second, even where they were already granted.`,
  redirects: t`Sign-ins that return to a removed address fail, including those in progress.`,
});
