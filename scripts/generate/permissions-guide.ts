// Renders docs/guides/permissions.md: who may do what, from the contract, which decides it.
interface Access {
  admin: string;
  manager: string;
  employee: string;
  scopes?: string[];
  step_up?: boolean;
}

interface Operation {
  operationId: string;
  tags: [string];
  security: { oauth2: string[] }[];
  'x-access'?: Access;
  'x-step-up'?: 'always' | 'salary';
}

interface Property {
  'x-read-access'?: Access;
  'x-write-access'?: Access;
}

interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<'Collaborator' | 'CollaboratorUpdate', { properties: Record<string, Property> }>;
    securitySchemes: { oauth2: { flows: { authorizationCode: { scopes: Record<string, string> } } } };
  };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const roles = ['admin', 'manager', 'employee'] as const;

/** @returns the page as Markdown */
export function renderPermissionsGuide(bundled: string): string {
  const { paths, components } = JSON.parse(bundled) as Contract;
  const operations = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
  const { scopes } = components.securitySchemes.oauth2.flows.authorizationCode;
  return `<!-- Written by \`make generate\` from openapi/. Do not edit. -->
${introduction}
## Scopes

Ask only for what you need: people read the list before they agree. \`openid\` is a right to nothing
([authentication](authentication.md)).

| scope | lets an app | operations |
|---|---|---|
${Object.entries(scopes)
  .map(([scope, text]) => row([code(scope), sentence(text), usersOf(scope, operations).map(code).join(', ')]))
  .join('\n')}

## Operations

What each role reaches, and the scopes that the token needs.

| operation | scopes | admin | manager | employee | a recent sign-in |
|---|---|---|---|---|---|
${operations.map(operationRow).join('\n')}

## Fields

Everybody who reaches a record sees its fields, but for these. What is hidden is left out, and named in \`restricted_fields\`.

| to read | scopes | admin | manager | employee |
|---|---|---|---|---|
${fieldRows(components.schemas.Collaborator.properties, 'x-read-access')}

Who may change a record may change these of its fields; others are refused with 403 \`field_forbidden\`. \`getCollaborator\` and
\`listCollaborators\` take the names of fields as \`fields\`, for what is needed alone. \`team\` does not include the manager here: of their
own record, managers change what employees may. A field that you may change and not see counts as changed whenever you send it: so
neither results nor times tell what it was.

| to change | scopes | admin | manager | employee |
|---|---|---|---|---|
${fieldRows(components.schemas.CollaboratorUpdate.properties, 'x-write-access')}
`;
}

const introduction = `# Permissions

A request is allowed when all of these permit it:

1. the **scopes** of the token: what the person, or the admin who installed the app, has agreed to;
2. the **role** in the company: \`admin\`, \`manager\` or \`employee\` of the person, or of the installation;
3. the **records** that this role reaches with the operation: \`all\`, those of the \`team\` (the manager and everybody below, directly or
   through others), or \`self\`, the own one;
4. for some, a **recent sign-in**, where the company asks for one.

What is out of reach is answered with 404 \`not_found\`, as if it did not exist. What is in reach and not allowed is 403
\`insufficient_scope\`, with \`details.required_scopes\`, or 403 \`forbidden\`, with \`details.required_role\`. A sign-in that is not enough is
401 \`insufficient_user_authentication\`.

## Ask instead of repeating the rules

\`listPermissions\` evaluates all of this for a token in a company, operation by operation:

\`\`\`json
{
  "operation_id": "exportList",
  "allowed": false,
  "reach": "all",
  "missing_scopes": [],
  "required_role": null,
  "needs_step_up": true
}
\`\`\`

Hide what is not \`allowed\`. Where nothing but \`needs_step_up\` stands in the way, show it, and send the person through the
authorization page when they use it.

## A recent sign-in

A company may want a sign-in of the last 15 minutes where most is at stake: \`policy.step_up\` of \`getCompany\`, and with two factors where
\`policy.require_second_factor\` is set. It is asked for

- \`always\` by what changes apps, roles and the company itself,
- \`salary\`: by exports, when the token may read salaries of others, which would be in them,
- by requests that write a \`salary\`, of anybody: \`createCollaborator\`, \`updateCollaborator\`, \`bulkCollaborators\`, also in a dry run, and
  imports that may write one, but for their dry run,
- by other answers only when \`fields\` names \`salary\`; else salaries of others are left out, in \`restricted_fields\`,
- and on the page where an admin installs an app, which gives access that lasts.

**Ending access never asks for it**: \`endConnection\`, signing out, deactivating somebody. Nobody should have to look for their phone
while a stranger reads salaries. [What to do](authentication.md#asked-to-sign-in-again) with such an answer. An installation is asked for
nothing of this, for nobody signs in for it.
`;

function usersOf(scope: string, operations: readonly Operation[]): string[] {
  return operations.filter((operation) => scopesOf(operation).includes(scope)).map(({ operationId }) => operationId);
}

function operationRow(operation: Operation): string {
  const { operationId, 'x-access': access, 'x-step-up': stepUp } = operation;
  const reach = roles.map((role) => shown(access?.[role] ?? 'self')); // without a company: of oneself
  return row([code(operationId), scopesOf(operation).map(code).join(' '), ...reach, stepUp ? code(stepUp) : '']);
}

function fieldRows(properties: Record<string, Property>, kind: keyof Property): string {
  const rows = Object.entries(properties).flatMap(([name, { [kind]: access }]) =>
    access
      ? [row([code(name), (access.scopes ?? []).map(code).join(' '), ...roles.map((role) => shown(access[role]))])]
      : [],
  );
  return rows.join('\n');
}

function scopesOf({ security }: Operation): string[] {
  return security.flatMap(({ oauth2 }) => oauth2);
}

/** In the words of the contract, and nothing as nothing. */
function shown(reach: string): string {
  return reach === 'none' ? '–' : reach;
}

function sentence(text: string): string {
  return text.replace(/\.$/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

function code(text: string): string {
  return `\`${text}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
