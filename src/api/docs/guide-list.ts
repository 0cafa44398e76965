/** The guides, in the recommended order, by what their readers want to do. */
export interface Guide {
  /** In its address, `/docs/guides/<name>`. */
  name: string;
  /** In the navigation. */
  label: string;
  /** What the page explains, in a sentence. */
  summary: string;
  /** The Markdown, below `docs/`. */
  source: string;
  group: Group;
}

export const groups = [
  'Get started',
  'Sign-in and access',
  'People',
  'Files',
  'Webhooks',
  'Integrations',
  'Releases',
  'Operate the service',
] as const;

type Group = (typeof groups)[number];

const operators: readonly [name: string, label: string, summary: string][] = [
  ['deployment', 'Deployment', 'Run the service with Docker Compose, Kubernetes, or Helm.'],
  ['settings', 'Settings', 'Every environment variable, its default, and its values.'],
  ['upgrade', 'Upgrades', 'Upgrade, roll back, and write migrations.'],
  ['proxies', 'Proxies', 'Run behind nginx, Caddy, Cloudflare, Envoy, or AWS.'],
  ['tls', 'TLS', 'Terminate TLS in the service itself.'],
  ['postgres', 'Postgres', 'Versions, roles, settings, and connections.'],
  ['pgbouncer', 'PgBouncer', 'Connect through a pooler.'],
  ['citus', 'Citus', 'Distribute companies over a cluster.'],
  ['failover', 'Failover', 'Survive the loss of a database server.'],
  ['files', 'File storage', 'Store files in a folder or in S3.'],
  ['backup', 'Backup', 'Back up and restore database and files.'],
  ['secrets', 'Secrets', 'Encryption keys, their rotation, and secret files.'],
  ['observability', 'Observability', 'Logs, metrics, traces, and alerts.'],
  ['limits', 'Limits', 'Rate limits, quotas, and load shedding.'],
  ['capacity', 'Capacity', 'Resource needs and bottlenecks.'],
  ['audit', 'Audit log', 'Its entries, and what a crash can lose.'],
  ['privacy', 'Personal data', 'Where personal data is stored, and how to erase it.'],
  ['retention', 'Retention', 'How long data is kept.'],
  ['supply-chain', 'Supply chain', 'Dependencies, images, and bills of materials.'],
  ['chaos', 'Chaos tests', 'How the service behaves under injected faults.'],
];

export const guides: readonly Guide[] = [
  {
    name: 'first-app',
    label: 'Your first app',
    summary: 'Register an app, sign someone in, send a request, and revoke its access, in five minutes.',
    source: 'guides/first-app.md',
    group: 'Get started',
  },
  {
    name: 'command-line',
    label: 'Command line',
    summary: 'Sign in from a terminal, send any request, import and export, and receive events locally.',
    source: 'guides/command-line.md',
    group: 'Get started',
  },
  {
    name: 'authentication',
    label: 'Authentication',
    summary: 'Sign people in with OAuth 2.0 and PKCE, refresh tokens, and act for one of their companies.',
    source: 'guides/authentication.md',
    group: 'Sign-in and access',
  },
  {
    name: 'single-sign-on',
    label: 'Single sign-on',
    summary:
      'Sign people in with your identity provider: Okta, Microsoft Entra ID, Google Workspace, JumpCloud, or Keycloak.',
    source: 'guides/single-sign-on.md',
    group: 'Sign-in and access',
  },
  {
    name: 'saml',
    label: 'Single sign-on by SAML',
    summary: 'Sign people in with a SAML 2.0 identity provider, step by step.',
    source: 'guides/saml.md',
    group: 'Sign-in and access',
  },
  {
    name: 'directories',
    label: 'Directories (SCIM)',
    summary: 'Have an identity provider add, change and remove people, and decide about roles by its groups.',
    source: 'guides/directories.md',
    group: 'Sign-in and access',
  },
  {
    name: 'directory-okta',
    label: 'Okta',
    summary: 'Connect Okta to a directory, step by step.',
    source: 'guides/directory-okta.md',
    group: 'Sign-in and access',
  },
  {
    name: 'directory-entra-id',
    label: 'Microsoft Entra ID',
    summary: 'Connect Microsoft Entra ID to a directory, step by step.',
    source: 'guides/directory-entra-id.md',
    group: 'Sign-in and access',
  },
  {
    name: 'directory-jumpcloud',
    label: 'JumpCloud',
    summary: 'Connect JumpCloud to a directory, step by step.',
    source: 'guides/directory-jumpcloud.md',
    group: 'Sign-in and access',
  },
  {
    name: 'directory-google-workspace',
    label: 'Google Workspace',
    summary: 'Connect Google Workspace to a directory: what it offers, and the ways around what it does not.',
    source: 'guides/directory-google-workspace.md',
    group: 'Sign-in and access',
  },
  {
    name: 'directory-keycloak',
    label: 'Keycloak',
    summary: 'Connect Keycloak to a directory by a SCIM extension, step by step.',
    source: 'guides/directory-keycloak.md',
    group: 'Sign-in and access',
  },
  {
    name: 'permissions',
    label: 'Permissions and scopes',
    summary: 'Every scope, operation, and restricted field, by role, and where a recent sign-in is required.',
    source: 'guides/permissions.md',
    group: 'Sign-in and access',
  },
  {
    name: 'browsers',
    label: 'Pages in a browser',
    summary: 'Sign people in and call the API from your own page, without a server in between.',
    source: 'guides/browsers.md',
    group: 'Sign-in and access',
  },
  {
    name: 'installations',
    label: 'Connections and installations',
    summary: 'See and revoke the access of apps, and install apps that act for the company.',
    source: 'guides/installations.md',
    group: 'Sign-in and access',
  },
  {
    name: 'assistants',
    label: 'AI assistants',
    summary: 'Connect an AI assistant by MCP, hosted or on your own machine, and see what it did.',
    source: 'guides/assistants.md',
    group: 'Sign-in and access',
  },
  {
    name: 'company-policy',
    label: 'Sign-in policy',
    summary: 'Company policy: second factor, recent sign-ins, session length, and scopes of third-party apps.',
    source: 'guides/company-policy.md',
    group: 'Sign-in and access',
  },
  {
    name: 'pagination',
    label: 'Lists',
    summary: 'Read lists of any size, by page or by cursor; filter, sort, and follow changes.',
    source: 'guides/pagination.md',
    group: 'People',
  },
  {
    name: 'errors',
    label: 'Errors and retries',
    summary: 'The form of errors, which ones to retry, and how to retry safely.',
    source: 'guides/errors.md',
    group: 'People',
  },
  {
    name: 'languages',
    label: 'Languages',
    summary: 'Which texts are in English, Portuguese, and Spanish, and how the language is chosen.',
    source: 'guides/languages.md',
    group: 'People',
  },
  {
    name: 'custom-fields',
    label: 'Custom fields',
    summary: "A company's own fields: their types, who reads and writes them, and how to archive or delete one.",
    source: 'guides/custom-fields.md',
    group: 'People',
  },
  {
    name: 'bulk',
    label: 'Bulk requests',
    summary: 'Change up to 1,000 people in one request, with a result for each.',
    source: 'guides/bulk.md',
    group: 'People',
  },
  {
    name: 'import',
    label: 'Import a file',
    summary: 'Import people from a workbook or CSV file: template, dry run, errors, commit.',
    source: 'guides/import.md',
    group: 'Files',
  },
  {
    name: 'import-columns',
    label: 'Columns, dates, and numbers',
    summary: 'How an import reads a file: headers in five languages, dates, numbers, and texts.',
    source: 'guides/import-columns.md',
    group: 'Files',
  },
  {
    name: 'office-files',
    label: 'Example files',
    summary: 'Ten real-world files, and what an import makes of each.',
    source: 'guides/office-files.md',
    group: 'Files',
  },
  {
    name: 'export',
    label: 'Export',
    summary: 'Export people to a workbook, CSV, or JSON.',
    source: 'guides/export.md',
    group: 'Files',
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    summary: 'Receive events, respond, find failures, and recover missed events.',
    source: 'webhooks/README.md',
    group: 'Webhooks',
  },
  {
    name: 'verify-webhooks',
    label: 'Verify webhooks',
    summary: 'Code that checks the signature of a webhook, in TypeScript, Python, PHP, Go, and shell.',
    source: 'webhooks/signatures.md',
    group: 'Webhooks',
  },
  {
    name: 'sdks',
    label: 'Generated clients',
    summary: 'Generate a client (SDK) in nine languages, with tested commands.',
    source: 'sdks.md',
    group: 'Integrations',
  },
  {
    name: 'automation',
    label: 'n8n and other tools',
    summary: 'Connect tools that send HTTP requests: sign in, receive events, add and read people.',
    source: 'guides/automation.md',
    group: 'Integrations',
  },
  {
    name: 'zapier',
    label: 'Zapier',
    summary: 'A Zapier app, ready to upload: a trigger for every event, and an action that adds a person.',
    source: 'guides/zapier/README.md',
    group: 'Integrations',
  },
  {
    name: 'postman',
    label: 'Postman',
    summary: 'A collection with every operation and PKCE sign-in, generated from the contract.',
    source: 'guides/postman/README.md',
    group: 'Integrations',
  },
  {
    name: 'versions',
    label: 'Versions',
    summary: 'What can change in the API, how long versions are supported, and how to generate a client.',
    source: 'guides/versions.md',
    group: 'Releases',
  },
  {
    name: 'changelog',
    label: 'API changelog',
    summary: 'The changes of each version of the contract.',
    source: '../openapi/CHANGELOG.md',
    group: 'Releases',
  },
  ...operators.map(([name, label, summary]) => ({
    name,
    label,
    summary,
    source: `operations/${name}.md`,
    group: 'Operate the service' as const,
  })),
];
