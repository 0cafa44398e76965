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
    summary: 'Register an app, sign someone in, send a request, and revoke its access, in five minutes.',
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
    label: 'Sign-in policy',
    summary: 'Company policy: second factor, recent sign-ins, session length, and scopes of third-party apps.',
    source: 'guides/company-policy.md',
  },
  {
    name: 'installations',
    label: 'Connections and installations',
    summary: 'See and revoke the access of apps, and install apps that act for the company.',
    source: 'guides/installations.md',
  },
  {
    name: 'permissions',
    label: 'Permissions and scopes',
    summary: 'Every scope, operation, and restricted field, by role, and where a recent sign-in is required.',
    source: 'guides/permissions.md',
  },
  {
    name: 'browsers',
    label: 'Pages in a browser',
    summary: 'Sign people in and call the API from your own page, without a server in between.',
    source: 'guides/browsers.md',
  },
  {
    name: 'pagination',
    label: 'Lists',
    summary: 'Read lists of any size, by page or by cursor; filter, sort, and follow changes.',
    source: 'guides/pagination.md',
  },
  {
    name: 'errors',
    label: 'Errors and retries',
    summary: 'The form of errors, which ones to retry, and how to retry safely.',
    source: 'guides/errors.md',
  },
  {
    name: 'languages',
    label: 'Languages',
    summary: 'Which texts are in English, Portuguese, and Spanish, and how the language is chosen.',
    source: 'guides/languages.md',
  },
  {
    name: 'import',
    label: 'Import a file',
    summary: 'Import people from a workbook or CSV file: template, dry run, errors, commit.',
    source: 'guides/import.md',
  },
  {
    name: 'import-columns',
    label: 'Columns, dates, and numbers',
    summary: 'How an import reads a file: headers in five languages, dates, numbers, and texts.',
    source: 'guides/import-columns.md',
  },
  {
    name: 'office-files',
    label: 'Example files',
    summary: 'Ten real-world files, and what an import makes of each.',
    source: 'guides/office-files.md',
  },
  {
    name: 'export',
    label: 'Export',
    summary: 'Export people to a workbook, CSV, or JSON.',
    source: 'guides/export.md',
  },
  {
    name: 'bulk',
    label: 'Bulk requests',
    summary: 'Change up to 1,000 people in one request, with a result for each.',
    source: 'guides/bulk.md',
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    summary: 'Receive events, respond, find failures, and recover missed events.',
    source: 'webhooks/README.md',
  },
  {
    name: 'verify-webhooks',
    label: 'Verify webhooks',
    summary: 'Code that checks the signature of a webhook, in TypeScript, Python, PHP, Go, and shell.',
    source: 'webhooks/signatures.md',
  },
  {
    name: 'command-line',
    label: 'Command line',
    summary: 'Sign in from a terminal, send any request, import and export, and receive events locally.',
    source: 'guides/command-line.md',
  },
  {
    name: 'automation',
    label: 'n8n and other tools',
    summary: 'Connect tools that send HTTP requests: sign in, receive events, add and read people.',
    source: 'guides/automation.md',
  },
  {
    name: 'zapier',
    label: 'Zapier',
    summary: 'A Zapier app, ready to upload: a trigger for every event, and an action that adds a person.',
    source: 'guides/zapier/README.md',
  },
  {
    name: 'postman',
    label: 'Postman',
    summary: 'A collection with every operation and PKCE sign-in, generated from the contract.',
    source: 'guides/postman/README.md',
  },
  {
    name: 'versions',
    label: 'Versions',
    summary: 'What can change in the API, how long versions are supported, and how to generate a client.',
    source: 'guides/versions.md',
  },
];
