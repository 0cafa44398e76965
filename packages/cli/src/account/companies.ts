/** The account behind a token, and the companies it can access. */
import { CliError } from '../terminal/failure.ts';
import { explainNetworkError } from './network-error.ts';

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

const responseTimeoutMs = 120_000;

/** @throws CliError when the service returns anything else */
export async function readAccount(baseUrl: string, accessToken: string): Promise<Account> {
  const response = await fetch(`${baseUrl}/auth/user`, {
    headers: { authorization: `Bearer ${accessToken}` },
    signal: AbortSignal.timeout(responseTimeoutMs),
    redirect: 'error',
  }).catch((error) => {
    throw explainNetworkError(baseUrl, error, responseTimeoutMs);
  });
  const body = (await response.json().catch(() => ({}))) as Partial<Account> & { message?: string };
  if (!response.ok || !body.companies) {
    throw new CliError(
      `${baseUrl} did not return the signed-in user: ${body.message ?? `it responded with ${response.status}`}`,
    );
  }
  return body as Account;
}

/**
 * @param idOrName id or name of a company
 * @throws CliError that lists the available companies
 */
export function findCompany(companies: readonly Company[], idOrName: string): Company {
  const is = (text: string) => text.toLowerCase() === idOrName.toLowerCase();
  const found = companies.filter(({ id, name }) => is(id) || is(name));
  if (found.length === 1) return found[0]!;
  throw new CliError(
    `${idOrName} matches ${found.length ? 'several' : 'none'} of your companies: ${companyList(companies)}`,
    2,
  );
}

/** @throws CliError when there is more than one company */
export function onlyCompany(companies: readonly Company[], program: string): Company {
  if (companies.length === 1) return companies[0]!;
  if (companies.length === 0) throw new CliError('this sign-in gives access to no company');
  const advice = `Pass --company with one of ${companyList(companies)}, or set a default with \`${program} use\``;
  throw new CliError(`which company? ${advice}`, 2);
}

function companyList(companies: readonly Company[]): string {
  return companies.map(({ id, name }) => `${id} (${name})`).join(', ');
}
