/** Commands for signing in to a service. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import type { LoginOptions } from '../login.ts';
import type { LogoutOptions } from '../logout.ts';
import { base_url, example, json } from './shared.ts';

export function sessionCommands(program: Command, environment: Environment): void {
  program
    .command('login')
    .description('Signs in through the browser, and stores the tokens on this machine.')
    .option(...base_url)
    .option('--client-id <id>', 'a public client; default: the one of `make run`, or the one used there before')
    .option('--scope <scopes>', 'scopes to ask for, separated by spaces; default: all')
    .option('--no-open', 'only print the address, open no browser')
    .option('--print', 'print the tokens as JSON instead of storing them')
    .option('--timeout-s <seconds>', 'how long to wait for the sign-in', seconds, 300)
    .option(...json)
    .addHelpText('after', example('login --scope "profile collaborators:read"'))
    .action(async (options: LoginOptions) => (await import('../login.ts')).login(environment, options));
  program
    .command('token')
    .description('Prints a valid access token of the stored sign-in, refreshed when it is about to expire.')
    .option(...base_url)
    .option(...json)
    .addHelpText(
      'after',
      `\nExample:\n  curl -H "Authorization: Bearer $(npm run -s cli -- token)" http://127.0.0.1:8080/auth/user`,
    )
    .action(async (options) => (await import('../token.ts')).token(environment, options));
  program
    .command('logout')
    .description('Revokes the stored tokens, and removes them from this machine.')
    .option(...base_url)
    .option('--local', 'only remove them from this machine, when the service no longer exists')
    .option(...json)
    .addHelpText('after', example('logout'))
    .action(async (options: LogoutOptions) => (await import('../logout.ts')).logout(environment, options));
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400) {
    throw new InvalidArgumentError('Must be a whole number from 1 to 86400.');
  }
  return value;
}
