/** The account behind a token, and the companies it can access. */
import { CliError } from '../terminal/failure.ts';
import { unanswered } from './network-error.ts';

/** The parts of the `GET /auth/user` response that the CLI uses. */
export interface Account {
  name: string;
  /** Null for an app installation. */
  email: string | null;
  scopes: string[];
  companies: Company[];
}

interface Company {
  id: string;
  name: string;
  role: string;
}

const answerTimeoutMs = 30_000;

/** @throws Failure when the service returns anything else */
export async function readAccount(baseUrl: string, accessToken: string): Promise<Account> {
  const answer = await fetch(`${baseUrl}/auth/user`, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'error',
  }).catch((error) => {
    throw unanswered(baseUrl, error, answerTimeoutMs);
  });
  const body = (await answer.json().catch(() => ({}))) as Partial<Account> & { message?: string };
  if (!answer.ok || !body.companies) {
    throw new CliError(
      `${baseUrl} did not return the signed-in user: ${body.message ?? `it answered ${answer.status}`}`,
    );
  }
  return body as Account;
}

/**
 * @param wanted id or name of a company
 * @throws Failure that lists the available companies
 */
export function chosenCompany(companies: readonly Company[], wanted: string): Company {
  const is = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const found = companies.filter(({ id, name }) => is(id) || is(name));
  if (found.length === 1) return found[0]!;
  throw new CliError(
    `${wanted} matches ${found.length ? 'several' : 'none'} of your companies: ${listed(companies)}`,
    2,
  );
}

/** @throws Failure when there is more than one company */
export function onlyCompany(companies: readonly Company[], program: string): Company {
  if (companies.length === 1) return companies[0]!;
  if (companies.length === 0) throw new CliError('this sign-in gives access to no company');
  const how = `Pass --company with one of ${listed(companies)}, or set a default with \`${program} use\``;
  throw new CliError(`which company? ${how}`, 2);
}

function listed(companies: readonly Company[]): string {
  return companies.map(({ id, name }) => `${id} (${name})`).join(', ');
}
