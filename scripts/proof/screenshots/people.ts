/** Test users of the screenshots: for each language, one with an account, invited by a second company, and a new one. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Language, languageTags } from '../../../src/contract/languages/language.ts';
import { createClient } from '../../../src/identity/clients/clients.ts';
import { findUser } from '../../../src/identity/users/users.ts';
import { developmentSettings, type Environment } from '../../../src/platform/config/development.ts';
import type { Database } from '../../../src/platform/db/client.ts';
import { newId } from '../../../src/platform/values/ids.ts';
import { createCompany } from '../../../src/product/companies/companies.ts';
import { createInstallationLinks } from '../../../src/product/connections/installation-links.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import { signIn } from '../../run/sign-in.ts';

interface Service {
  base_url: string;
  client_id: string;
  db: Database;
  password: string;
  environment: Environment;
}

export interface People {
  /** Email of a user with an account. */
  known(language: Language): string;
  invitation(language: Language): Promise<string>;
  secondInvitation(language: Language): Promise<string>;
  reset(language: Language): Promise<string>;
  newAddress(language: Language): Promise<string>;
  /** Authorization request of an app to install. */
  installing: string;
  /** Link in the email to admins about an installation whose installer has left. */
  installation: string;
  /** Received emails by kind, as HTML. */
  mails(language: Language): Promise<[string, string][]>;
}

const known: Record<Language, string> = {
  en: 'clara.sousa@verdelog.example',
  pt: 'tiago.moreira@verdelog.example',
  es: 'helena.castro@verdelog.example',
};
const secondCompany = 'Nordwind Speditionsgesellschaft Südwest';
const waitMs = 100;
const maxWaits = 300;

export async function preparePeople({
  base_url: baseUrl,
  client_id: clientId,
  db,
  password,
  environment,
}: Service): Promise<People> {
  const admin = {
    name: 'Mariana Duarte',
    email: accounts.admin,
    position: 'Director',
    department: 'Management',
    password,
  };
  const { company: second } = await createCompany(db, secondCompany, admin);
  const { access_token: accessToken } = await signIn({
    base_url: baseUrl,
    client_id: clientId,
    email: accounts.admin,
    password,
  });
  const companies = await db.global.selectFrom('companies').select('id').where('id', '<>', second.id).execute();
  const firstId = companies[0]!.id;
  const call = caller(baseUrl, accessToken);
  const outbox = join(String(environment.DATA_DIR), 'outbox');
  const fresh = (language: Language) => `new.address.${language}@verdelog.example`;
  const joining = (language: Language) => `joao.${language}@verdelog.example`;
  const people = await call<{ data: { id: string; email: string }[] }>(firstId, 'GET', '/v1/collaborators?limit=100');
  const idOf = (email: string) => people.data.find((each) => each.email === email)!.id;

  /** Adds a person with a language, and invites them. */
  const invited = async (companyId: string, email: string, language: Language, path: string) => {
    const person = { name: 'João Nogueira', email, position: 'Driver', department: 'Fleet' };
    const { id } = await call<{ id: string }>(companyId, 'POST', '/v1/collaborators', person);
    await setLanguage(companyId, id, language);
    await call(companyId, 'POST', `/v1/collaborators/${id}/send-invitation`, {});
    return linkIn(outbox, email, path);
  };
  const setLanguage = (companyId: string, id: string, language: Language) =>
    call(companyId, 'PUT', `/v1/collaborators/${id}/notifications`, { locale: languageTags[language] });

  const installed = await installApp(
    db,
    String(environment.ENCRYPTION_KEY ?? (await developmentSettings(environment)).ENCRYPTION_KEY),
    firstId,
  );
  for (const language of Object.keys(known) as Language[]) await setLanguage(firstId, idOf(known[language]), language);
  return {
    known: (language) => known[language],
    installing: `${baseUrl}${installed.request}`,
    installation: `${baseUrl}/oauth/installation/${installed.token}`,
    invitation: (language) => invited(firstId, joining(language), language, '/oauth/invitation/'),
    secondInvitation: (language) => invited(second.id, known[language], language, '/oauth/invitation/'),
    reset: (language) => linkIn(outbox, known[language], '/oauth/reset/'),
    async newAddress(language) {
      const id = idOf(known[language]);
      await call(firstId, 'PATCH', `/v1/collaborators/${id}`, { email: fresh(language) });
      return linkIn(outbox, fresh(language), '/oauth/address/');
    },
    async mails(language) {
      const files = await readdir(outbox);
      const addresses = [known[language], fresh(language), joining(language)];
      const htmls = files.filter((name) => addresses.some((address) => name.endsWith(`${address}.html`))).sort();
      return Promise.all(
        htmls.map(
          async (name, at): Promise<[string, string]> => [String(at), await readFile(join(outbox, name), 'utf8')],
        ),
      );
    },
  };
}

async function installApp(db: Database, key: string, companyId: string) {
  const redirectUri = 'https://planner.example/callback';
  const client = await createClient(db, { name: 'Shift planner', redirect_uris: [redirectUri], public: false });
  const admin = await findUser(db.global, accounts.admin);
  const { id: userId } = admin!;
  const grant = { id: newId(), user_id: userId, client_id: client.id, company_ids: [companyId], scopes: ['profile'] };
  await db.global
    .insertInto('oauth_grants')
    .values({ ...grant, installation_role: 'manager' })
    .execute();
  const links = createInstallationLinks([Buffer.from(key, 'base64')]);
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'collaborators:read collaborators:write offline_access',
    installation: 'true',
    state: 'x',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const token = links.token({ company_id: companyId, installation_id: grant.id, user_id: userId });
  return { request: `/oauth/authorize?${query}`, token };
}

/** Waits for an email to an address, and returns its newest link to a page. */
async function linkIn(outbox: string, address: string, path: string): Promise<string> {
  for (let wait = 0; wait < maxWaits; wait++) {
    const files = await readdir(outbox).catch(() => []);
    const texts = files.filter((name) => name.endsWith(`${address}.txt`)).sort();
    for (const name of texts.reverse()) {
      const links = (await readFile(join(outbox, name), 'utf8')).match(/^https?:\S+$/gm) ?? [];
      const found = links.find((link) => link.includes(path));
      if (found) return found;
    }
    await sleep(waitMs);
  }
  throw new Error(`no mail with ${path} for ${address}`);
}

function caller(baseUrl: string, token: string) {
  return async <T>(companyId: string, method: string, path: string, body?: object): Promise<T> => {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}`, 'X-Company-Id': companyId };
    if (body) headers['Content-Type'] = 'application/json';
    const response = await fetch(baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
}
