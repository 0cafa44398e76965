/** Commands for signing in and out. */
import type { Command } from 'commander';
import type { LoginOptions } from '../account/login.ts';
import type { LogoutOptions } from '../account/logout.ts';
import type { CliContext } from '../terminal/context.ts';
import { baseUrl, example, json, wholeNumber } from './shared.ts';

export function sessionCommands(program: Command, context: CliContext): void {
  program
    .command('login')
    .description('Signs in through the browser, and stores the tokens on this machine.')
    .option(...baseUrl)
    .option('--client-id <id>', 'public client ID; default: the one used before, or the built-in one')
    .option('--company <id>', 'ID or name of the default company; default: the only one')
    .option('--scope <scopes>', 'scopes to request, separated by spaces; default: all')
    .option('--no-open', 'print the URL instead of opening a browser')
    .option('--print', 'print the tokens as JSON instead of storing them')
    .option('--timeout-s <seconds>', 'maximum time to wait for the sign-in', wholeNumber(1, 86_400), 300)
    .option(...json)
    .addHelpText(
      'after',
      example(context, 'login --base-url https://people.example.com', 'login --scope "profile collaborators:read"'),
    )
    .action(async (options: LoginOptions) => (await import('../account/login.ts')).login(context, options));
  program
    .command('whoami')
    .description('Shows the signed-in user, with scopes and companies.')
    .option(...baseUrl)
    .option(...json)
    .addHelpText('after', example(context, 'whoami'))
    .action(async (options) => (await import('../account/whoami.ts')).whoami(context, options));
  program
    .command('use <company>')
    .description('Sets the default company for commands, by ID or name.')
    .option(...baseUrl)
    .option(...json)
    .addHelpText('after', example(context, 'use "Verde Logística"'))
    .action(async (company: string, options) => (await import('../account/whoami.ts')).use(context, company, options));
  tokenCommands(program, context);
}

function tokenCommands(program: Command, context: CliContext): void {
  // `npm run` prints a banner, which must not end up in the token.
  const silent = context.program.replace('npm run ', 'npm run -s ');
  program
    .command('token')
    .description('Prints a valid access token of the stored sign-in, refreshed if it is about to expire.')
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      `\nExample:\n  curl -H "Authorization: Bearer $(${silent} token)" http://127.0.0.1:8080/auth/user`,
    )
    .action(async (options) => (await import('../account/token.ts')).token(context, options));
  program
    .command('logout')
    .description('Revokes the stored tokens, and deletes them from this machine.')
    .option(...baseUrl)
    .option('--local', 'only delete them from this machine, if the service no longer exists')
    .option(...json)
    .addHelpText('after', example(context, 'logout'))
    .action(async (options: LogoutOptions) => (await import('../account/logout.ts')).logout(context, options));
}
