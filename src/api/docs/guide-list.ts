/** The guides, in the recommended order. */
export interface Guide {
  /** In its address, `/docs/guides/<name>`. */
  name: string;
  /** In the navigation. */
  label: string;
  /** What the page explains, in a sentence. */
  summary: string;
  /** The Markdown, below `docs/`. */
  source: string;
}

export const guides: readonly Guide[] = [
  {
    name: 'first-app',
    label: 'Your first app',
    summary: 'Register an app, sign somebody in, send a request, and end the connection: to paste, in five minutes.',
    source: 'guides/first-app.md',
  },
  {
    name: 'authentication',
    label: 'Authentication',
    summary: 'Sign people in with OAuth 2.0 and PKCE, refresh tokens, and act for one of their companies.',
    source: 'guides/authentication.md',
  },
  {
    name: 'company-policy',
    label: 'Rules for signing in',
    summary: 'What a company asks of its people and of apps: a second factor, fresh sign-ins, and how long they count.',
    source: 'guides/company-policy.md',
  },
  {
    name: 'installations',
    label: 'Connections and installations',
    summary: 'See and end what apps are allowed, and have one act for the company, whoever leaves.',
    source: 'guides/installations.md',
  },
  {
    name: 'directories',
    label: 'Directories (SCIM)',
    summary: 'Have an identity provider add, change and remove people, and decide about roles by its groups.',
    source: 'guides/directories.md',
  },
  {
    name: 'directory-okta',
    label: 'Okta',
    summary: 'Connect Okta to a directory, step by step.',
    source: 'guides/directory-okta.md',
  },
  {
    name: 'directory-entra-id',
    label: 'Microsoft Entra ID',
    summary: 'Connect Microsoft Entra ID to a directory, step by step.',
    source: 'guides/directory-entra-id.md',
  },
  {
    name: 'directory-jumpcloud',
    label: 'JumpCloud',
    summary: 'Connect JumpCloud to a directory, step by step.',
    source: 'guides/directory-jumpcloud.md',
  },
  {
    name: 'directory-google-workspace',
    label: 'Google Workspace',
    summary: 'Connect Google Workspace to a directory: what it offers, and the ways around what it does not.',
    source: 'guides/directory-google-workspace.md',
  },
  {
    name: 'directory-keycloak',
    label: 'Keycloak',
    summary: 'Connect Keycloak to a directory by a SCIM extension, step by step.',
    source: 'guides/directory-keycloak.md',
  },
  {
    name: 'permissions',
    label: 'Permissions and scopes',
    summary: 'Who may do what: every scope, operation and hidden field, and where a recent sign-in is asked for.',
    source: 'guides/permissions.md',
  },
  {
    name: 'browsers',
    label: 'Pages in a browser',
    summary: 'Sign people in and call the API from a page of your own, without a server in between.',
    source: 'guides/browsers.md',
  },
  {
    name: 'pagination',
    label: 'Lists',
    summary: 'Read lists of any size, by page or by cursor; filter, sort, and follow what changed.',
    source: 'guides/pagination.md',
  },
  {
    name: 'errors',
    label: 'Errors and retries',
    summary: 'What every error looks like, which ones to retry, and how to retry without doing things twice.',
    source: 'guides/errors.md',
  },
  {
    name: 'languages',
    label: 'Languages',
    summary: 'English, Portuguese and Spanish: which texts are in the language of the reader, and how it is chosen.',
    source: 'guides/languages.md',
  },
  {
    name: 'bulk',
    label: 'Import, export and bulk',
    summary: 'Import files with every error reported first, export data, and change many people at once.',
    source: 'guides/bulk.md',
  },
  {
    name: 'office-files',
    label: 'Files of offices',
    summary: 'Ten files as people have them, and what an import understands of each.',
    source: 'guides/office-files.md',
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    summary: 'Receive events, verify their signatures, and recover what your receiver missed.',
    source: 'webhooks/README.md',
  },
  {
    name: 'command-line',
    label: 'Command line',
    summary: 'Sign in from a terminal, send any request, move files, and receive events on your own machine.',
    source: 'guides/command-line.md',
  },
  {
    name: 'automation',
    label: 'n8n and plain HTTP',
    summary: 'Connect tools that send HTTP requests: sign in, receive events, add and read people.',
    source: 'guides/automation.md',
  },
  {
    name: 'zapier',
    label: 'Zapier',
    summary: 'An app for Zapier, ready to upload: a trigger for every event, and an action that adds a person.',
    source: 'guides/zapier/README.md',
  },
  {
    name: 'postman',
    label: 'Postman',
    summary: 'A collection with every operation and sign-in with PKCE, made from the contract.',
    source: 'guides/postman/README.md',
  },
  {
    name: 'versions',
    label: 'Versions',
    summary: 'What may change in the API and what will not, and how to generate a client.',
    source: 'guides/versions.md',
  },
];
