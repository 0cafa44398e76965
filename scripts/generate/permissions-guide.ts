// Renders docs/guides/permissions.md from the access rules of the contract.
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

Request only what you need: people read the list before they agree. \`openid\` grants no access.

| scope | lets an app |
|---|---|
${Object.entries(scopes)
  .map(([scope, text]) => row([code(scope), sentence(text)]))
  .join('\n')}

## Operations

| operation | scopes | admin | manager | employee | a recent sign-in |
|---|---|---|---|---|---|
${operations.map(operationRow).join('\n')}

## Fields

Everyone who can read a record sees its fields, except these. \`restricted_fields\` names the hidden ones.

| to read | scopes | admin | manager | employee |
|---|---|---|---|---|
${fieldRows(components.schemas.Collaborator.properties, 'x-read-access')}

Each role can change a field for the people in this reach; anything else gets 403 \`field_forbidden\`. Here \`team\` doesn't include the
manager: in their own record, managers can change what employees can. A field that you can change but not see counts as changed
whenever you send it, so that nothing reveals its value.

| to change | scopes | admin | manager | employee |
|---|---|---|---|---|
${fieldRows(components.schemas.CollaboratorUpdate.properties, 'x-write-access')}
`;
}

const introduction = `# Permissions

A request is allowed when all of these permit it:

1. the **scopes** of the token. The person, or the admin who installed the app, agreed to them;
2. the **role** in the company: \`admin\`, \`manager\`, or \`employee\`;
3. the **reach** of this role: \`all\` records, the \`team\` (a manager and everyone below, directly or indirectly), \`self\`, or the few
   fields of the \`directory\`;
4. for some operations, a **recent sign-in**, if the company requires one.

Records out of reach get 404 \`not_found\`, as if they didn't exist. Otherwise you get 403 \`insufficient_scope\` with
\`details.required_scopes\`, 403 \`forbidden\` with \`details.required_role\`, or 401 \`insufficient_user_authentication\`.

## Check permissions

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

Hide operations that aren't \`allowed\`. If only \`needs_step_up\` is in the way, show the operation, and send the person through the
authorization page when they use it.

## The people directory

With \`policy.directory_visibility: basic\` (\`getCompany\`), \`listColleagues\` shows everyone the name, position, department, location, work
email, and photo of every active person, and nothing else. The directory has its own scope, \`colleagues:read\`, so access that people
gave apps earlier doesn't grow. Without a directory, everyone gets 403 \`forbidden\` with \`details.reason: directory_disabled\`; installed
apps always do.

## A recent sign-in

A company can require a sign-in within the last 15 minutes for sensitive actions (\`policy.step_up\` of \`getCompany\`), with two factors if
\`policy.require_second_factor\` is set:

- operations with \`always\` in [the table](#operations), and the page where an admin installs an app
- operations with \`salary\` there, if the token can read other people's salaries
- requests that write a \`salary\`: \`createCollaborator\`, \`updateCollaborator\`, \`bulkCollaborators\` including dry runs, and imports that
  may write one, except dry runs; \`commitImport\` only if the file contains some
- other requests, only if \`fields\` names \`salary\`; otherwise other people's salaries are in \`restricted_fields\`

**Ending access never requires it**, and neither do installations. [How to respond](authentication.md#asked-to-sign-in-again) to the 401.
`;

function operationRow(operation: Operation): string {
  const { operationId, 'x-access': access, 'x-step-up': stepUp } = operation;
  const reach = roles.map((role) => formatReach(access?.[role] ?? 'self')); // without a company: the user's own data
  return row([code(operationId), scopesOf(operation).map(code).join(' '), ...reach, stepUp ? code(stepUp) : '']);
}

function fieldRows(properties: Record<string, Property>, kind: keyof Property): string {
  const rows = Object.entries(properties).flatMap(([name, { [kind]: access }]) =>
    access
      ? [
          row([
            code(name),
            (access.scopes ?? []).map(code).join(' '),
            ...roles.map((role) => formatReach(access[role])),
          ]),
        ]
      : [],
  );
  return rows.join('\n');
}

function scopesOf({ security }: Operation): string[] {
  return security.flatMap(({ oauth2 }) => oauth2);
}

/** Uses the contract's terms; a dash for none. */
function formatReach(reach: string): string {
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
