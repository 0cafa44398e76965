/** The guides in recommended order, grouped by the reader's goal. */
export interface Guide {
  name: string;
  label: string;
  summary: string;
  /** Below `docs/`. */
  source: string;
  group: string;
}

type Entry = readonly [name: string, label: string, summary: string, source?: string];

const entries: Readonly<Record<string, readonly Entry[]>> = {
  'Get started': [
    [
      'first-app',
      'Your first app',
      'Register an app, sign someone in, send a request, and revoke its access, in five minutes.',
    ],
    [
      'command-line',
      'Command line',
      'Sign in from a terminal, send any request, import and export, and receive events locally.',
    ],
  ],
  'Sign-in and access': [
    [
      'authentication',
      'Authentication',
      'Sign people in with OAuth 2.0 and PKCE, refresh tokens, and act for one of their companies.',
    ],
    [
      'single-sign-on',
      'Single sign-on',
      'Sign people in with your identity provider: Okta, Microsoft Entra ID, Google Workspace, JumpCloud, or Keycloak.',
    ],
    ['saml', 'Single sign-on by SAML', 'Sign people in with a SAML 2.0 identity provider, step by step.'],
    [
      'directories',
      'Directories (SCIM)',
      'Let an identity provider add, change, and remove people, and assign roles by its groups.',
    ],
    ['directory-okta', 'Okta', 'Connect Okta to a directory, step by step.'],
    ['directory-entra-id', 'Microsoft Entra ID', 'Connect Microsoft Entra ID to a directory, step by step.'],
    ['directory-jumpcloud', 'JumpCloud', 'Connect JumpCloud to a directory, step by step.'],
    [
      'directory-google-workspace',
      'Google Workspace',
      'Connect Google Workspace to a directory: supported features and workarounds.',
    ],
    ['directory-keycloak', 'Keycloak', 'Connect Keycloak to a directory by a SCIM extension, step by step.'],
    [
      'permissions',
      'Permissions and scopes',
      'Every scope, operation, and restricted field, by role, and where a recent sign-in is required.',
    ],
    [
      'browsers',
      'Pages in a browser',
      'Sign people in and call the API from your own page, without a server in between.',
    ],
    [
      'installations',
      'Connections and installations',
      'See and revoke the access of apps, and install apps that act for the company.',
    ],
    [
      'assistants',
      'AI assistants',
      'Connect an AI assistant by MCP, hosted or on your own machine, and review its actions.',
    ],
    [
      'company-policy',
      'Sign-in policy',
      'Company policy: second factor, recent sign-ins, session length, and scopes of third-party apps.',
    ],
  ],
  People: [
    ['pagination', 'Lists', 'Read lists of any size, by page or by cursor; filter, sort, and follow changes.'],
    ['errors', 'Errors and retries', 'Error format, which errors to retry, and how to retry safely.'],
    ['languages', 'Languages', 'Which texts are in English, Portuguese, and Spanish, and how the language is chosen.'],
    ['custom-fields', 'Custom fields', 'Custom fields: types, access, archiving, and deletion.'],
    ['bulk', 'Bulk requests', 'Change up to 1,000 people in one request, with a result for each.'],
  ],
  Files: [
    ['import', 'Import a file', 'Import people from a workbook or CSV file: template, dry run, errors, commit.'],
    [
      'import-columns',
      'Columns, dates, and numbers',
      'How an import reads a file: headers in five languages, dates, numbers, and texts.',
    ],
    ['office-files', 'Example files', 'Ten real-world files and their import results.'],
    ['export', 'Export', 'Export people to a workbook, CSV, or JSON.'],
  ],
  Webhooks: [
    [
      'webhooks',
      'Webhooks',
      'Receive events, respond, find failures, and recover missed events.',
      'webhooks/README.md',
    ],
    [
      'verify-webhooks',
      'Verify webhooks',
      'Code that checks the signature of a webhook, in TypeScript, Python, PHP, Go, and shell.',
      'webhooks/signatures.md',
    ],
  ],
  Integrations: [
    ['sdks', 'Generated clients', 'Generate a client (SDK) in nine languages, with tested commands.', 'sdks.md'],
    [
      'automation',
      'n8n and other tools',
      'Connect tools that send HTTP requests: sign in, receive events, add and read people.',
    ],
    [
      'zapier',
      'Zapier',
      'A Zapier app, ready to upload: a trigger for every event, and an action that adds a person.',
      'guides/zapier/README.md',
    ],
    [
      'postman',
      'Postman',
      'A collection with every operation and PKCE sign-in, generated from the contract.',
      'guides/postman/README.md',
    ],
  ],
  Releases: [
    ['versions', 'Versions', 'Possible changes of the API, support periods, and how to generate a client.'],
    ['changelog', 'API changelog', 'The changes of each version of the contract.', '../openapi/CHANGELOG.md'],
  ],
  'Operate the service': [
    ['deployment', 'Deployment', 'Run the service with Docker Compose, Kubernetes, or Helm.'],
    ['settings', 'Settings', 'Every environment variable, its default, and its values.'],
    ['upgrade', 'Upgrades', 'Upgrade, roll back, and write migrations.'],
    ['proxies', 'Proxies', 'Run behind nginx, Caddy, Cloudflare, Envoy, or AWS.'],
    ['tls', 'TLS', 'Terminate TLS in the service itself.'],
    ['postgres', 'Postgres', 'Versions, roles, settings, and connections.'],
    ['pgbouncer', 'PgBouncer', 'Connect through a pooler.'],
    ['citus', 'Citus', 'Distribute companies over a cluster.'],
    ['failover', 'Failover', 'Failover to another database server.'],
    ['files', 'File storage', 'Store files in a folder or in S3.'],
    ['backup', 'Backup', 'Back up and restore database and files.'],
    ['secrets', 'Secrets', 'Encryption keys, their rotation, and secret files.'],
    ['observability', 'Observability', 'Logs, metrics, traces, and alerts.'],
    ['limits', 'Limits', 'Rate limits, quotas, and load shedding.'],
    ['capacity', 'Capacity', 'Resource needs and bottlenecks.'],
    ['audit', 'Audit log', 'Entries, and what a crash can lose.'],
    ['privacy', 'Personal data', 'Where personal data is stored, and how to erase it.'],
    ['retention', 'Retention', 'How long data is kept.'],
    ['supply-chain', 'Supply chain', 'Dependencies, images, and bills of materials.'],
    ['chaos', 'Chaos tests', 'Behavior of the service under fault injection.'],
  ],
};

export const groups = Object.keys(entries);

export const guides: readonly Guide[] = groups.flatMap((group) => {
  const folder = group === 'Operate the service' ? 'operations' : 'guides';
  return entries[group]!.map(([name, label, summary, source = `${folder}/${name}.md`]) => {
    return { name, label, summary, source, group };
  });
});
