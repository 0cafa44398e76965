/** Commands for API requests, events, and the audit log. */
import { type Command, Option } from 'commander';
import type { ListenOptions } from '../listen/listen.ts';
import type { McpOptions } from '../mcp/mcp.ts';
import type { RequestCommandOptions } from '../service/api-command.ts';
import type { AuditOptions } from '../service/audit.ts';
import type { CliContext } from '../terminal/context.ts';
import { baseUrl, collect, company, example, json, pair, wholeNumber } from './shared.ts';

export function apiCommand(program: Command, context: CliContext): void {
  program
    .command('api')
    .description('Sends any request, authenticated and for your company, and prints the response.')
    .argument('<method>', 'GET, POST …; default: POST with data, otherwise GET')
    .argument('[path]', 'for example /v1/collaborators?per_page=5')
    .option(
      '-f, --field <name=text>',
      'string field: in the query for GET and DELETE, otherwise in the JSON body; repeatable',
      pair,
    )
    .option('-F, --json-field <name=json>', 'the same for a number, true, null, or an object', pair)
    .option('--data <json>', 'request body: JSON, @file, or - for standard input')
    .option('-H, --header <line>', 'header, such as "If-Match: …"; repeatable', collect)
    .option('-i, --include', 'print status and headers too')
    .option('--paginate', 'fetch all pages of a list, and print the items as one JSON array')
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      `${example(
        context,
        'api /auth/user',
        'api GET /v1/collaborators -f department=Fleet --paginate',
        'api POST /v1/collaborators -f name="Clara Sousa" -f email=clara@verde.example -f position=Planner -f department=Fleet',
        'api PATCH /v1/collaborators/0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30 --data @change.json',
      )}

A POST gets an Idempotency-Key by itself. JSON is printed with indentation on a terminal, and with --json.
The exit code is 0 for a 2xx response, otherwise 1; the body of an error is printed as well.`,
    )
    .action(async (method: string, path: string | undefined, options: RequestCommandOptions) =>
      (await import('../service/api-command.ts')).sendRequest(context, method, path, options),
    );
}

export function listenCommand(program: Command, context: CliContext): void {
  program
    .command('listen')
    .description("Receives your company's events on this machine, like a webhook, for development.")
    .option('--forward-to <url>', 'URL to forward events to, signed like webhooks: http://localhost:4000/hooks')
    .option('--events <names>', 'event types, separated by commas: collaborator.created,document.*', list)
    .option('--print', 'print the body of each event')
    .option('--since <time>', 'start time, for example 2026-03-01T00:00:00Z; default: now')
    .option('--secret <secret>', 'signing secret (whsec_…); default: one stored on this machine')
    .option('--retry-s <seconds>', 'how long to retry an event while the endpoint is down', wholeNumber(1, 86_400), 300)
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      `${example(context, 'listen --forward-to http://localhost:4000/hooks', 'listen --events "collaborator.*" --print')}

For admins, with the scope webhooks:manage. Events come one after the other in their order; one may come twice, with the
same webhook-id. Ctrl-C ends it. With --json each event is one line of JSON.`,
    )
    .action(async (options: ListenOptions) => (await import('../listen/listen.ts')).listen(context, options));
}

export function auditCommands(program: Command, context: CliContext): void {
  const audit = program
    .command('audit')
    .description('Shows the audit log of a company.')
    .addHelpText('after', example(context, 'audit list'));
  audit
    .command('list')
    .description('Lists audit log entries, newest first, for admins with the scope audit:read.')
    .option('--limit <number>', 'maximum number of entries', wholeNumber(1, 10_000), 50)
    .option('--action <name>', 'filter by action, for example salary.read or patchCollaborator')
    .option('--actor <id>', 'filter by user')
    .option('--target <id>', 'filter by record')
    .addOption(new Option('--outcome <outcome>', 'filter by outcome').choices(['succeeded', 'refused']))
    .option('--since <time>', 'start time, for example 2026-03-01T00:00:00Z')
    .option('--until <time>', 'end time, exclusive')
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText('after', example(context, 'audit list --action salary.read --since 2026-03-01T00:00:00Z'))
    .action(async (options: AuditOptions) => (await import('../service/audit.ts')).list(context, options));
}

export function mcpCommand(program: Command, context: CliContext): void {
  program
    .command('mcp')
    .description("Serves your company's tools to an AI assistant on this machine (Model Context Protocol over stdio).")
    .option('--read-only', 'only read-only tools')
    .option(...company)
    .option(...baseUrl)
    .addHelpText(
      'after',
      `${example(context, 'mcp --read-only')}

An assistant starts it: it speaks JSON on standard input and output. It acts as you, with your sign-in.`,
    )
    .action(async (options: McpOptions) => (await import('../mcp/mcp.ts')).serve(context, options));
}

function list(text: string, before: string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ];
}
