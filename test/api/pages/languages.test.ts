/** Pages and emails in the reader's language. */
import { addCollaborator } from '../../../src/product/collaborators/write/add-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { inviteNow } from '../../../src/product/invitations/send-invitation.ts';
import { authorizationUrl, createBrowser, newVerifier, type Page } from '../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../identity/mailbox.ts';
import { type OAuthService, oauthService, redirectUri } from '../../identity/service.ts';

let service: OAuthService;
let mailbox: Mailbox;
const mariana = 'mariana@example.com';

beforeAll(async () => {
  service = await oauthService();
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox?.close();
  await service?.close();
});
afterEach(() => service.database.query('delete from notification_preferences'));

function url(more: Record<string, string> = {}, scopes = ['profile', 'salary:read']): string {
  const clientId = service.native.id;
  const plain = authorizationUrl({
    ...service,
    client_id: clientId,
    redirect_uri: redirectUri,
    scopes,
    verifier: newVerifier(),
  });
  return `${plain}&${new URLSearchParams(more)}`;
}

const browserOf = (acceptLanguage?: string) => createBrowser(service.base_url, service.address, acceptLanguage);

async function set(
  email: string,
  locale: string | null,
  companyIndex = 0,
  updatedAt = '2026-01-01T00:00:00Z',
): Promise<void> {
  await service.database.query(
    `insert into notification_preferences (company_id, collaborator_id, preferences, updated_at)
     select company_id, id, jsonb_build_object('locale', $2::text), $4 from collaborators where email = $1 and company_id = $3
     on conflict (company_id, collaborator_id) do update set preferences = excluded.preferences`,
    [email, locale, service.company_ids[companyIndex], updatedAt],
  );
}

async function add(email: string): Promise<string> {
  const tenant = service.database.db.tenant(service.company_ids[0]);
  const person = { name: 'Inês Sá', email, position: 'Driver', department: 'Fleet' };
  return (await counted(tenant, (tx) => addCollaborator(tx, { user_id: null }, person))).id;
}

async function invite(email: string, { locale, by }: { locale?: string; by?: string } = {}): Promise<void> {
  const id = await add(email);
  if (locale) await set(email, locale);
  const tenant = service.database.db.tenant(service.company_ids[0]);
  const [user] = await service.database.query<{ id: string }>('select id from users where email = $1', [by ?? '']);
  await inviteNow(tenant, { user_id: user?.id ?? null, role: null }, id, service);
}

const tags = { en: 'en', pt: 'pt-BR', es: 'es' };
type Language = keyof typeof tags;

/** Expects each text of the page to be in this language; texts are enclosed by HTML or followed by inserted values. */
function expectIn(language: Language, { html, headers }: Page): void {
  expect(headers.get('content-language')).toBe(tags[language]);
  expect(headers.get('vary')).toMatch(/\bAccept-Language\b/);
  expect(html).toContain(`<html lang="${tags[language]}">`);
  const others = {
    en: /\b(você|senha|empresa|contraseña|página|aplicativo|aplicación)\b/i,
    pt: /\b(you|your|the|password|company|contraseña|usted|su|aplicación)\b/i,
    es: /\b(you|your|the|password|company|você|senha|seu|sua|aplicativo)\b/i,
  };
  const words = html.replace(/<nav[\s\S]*?<\/nav>|<span lang="en">.*?<\/span>|<[^>]*>/g, ' ');
  expect(others[language].exec(words)?.[0]).toBeUndefined();
}

async function login(page: Page, browser: ReturnType<typeof browserOf>, email = service.ana.email): Promise<Page> {
  const { password } = service.ana;
  return browser.submit(page, page.forms[0]!, { email, password, action: 'login' });
}

const chosen = 'a river runs past the mill';

/** Each page by how to open it, with a text in Portuguese. */
const pages: [string, (browser: ReturnType<typeof browserOf>) => Promise<Page>, string][] = [
  ['sign-in', (browser) => browser.open(url()), 'Entrar'],
  [
    'sign-in that failed',
    async (browser) => {
      const page = await browser.open(url());
      return browser.submit(page, page.forms[0]!, { email: 'x@example.com', password: 'x', action: 'login' });
    },
    'Esse endereço de e-mail e essa senha não correspondem a nenhuma conta.',
  ],
  ['consent', async (browser) => login(await browser.open(url()), browser), 'Ver salários'],
  [
    'consent without a company',
    async (browser) => {
      const page = await login(await browser.open(url()), browser);
      return browser.submit(page, page.forms[1]!, { action: 'allow' });
    },
    'Escolha pelo menos uma empresa ou negue o acesso.',
  ],
  [
    'sign-out',
    async (browser) => {
      await login(await browser.open(url()), browser);
      return browser.open(`${service.base_url}/oauth/sign-out`);
    },
    'Sair?',
  ],
  ['signed out', (browser) => browser.open(`${service.base_url}/oauth/sign-out`), 'Você saiu da sua conta'],
  ['forgotten password', (browser) => browser.open(`${service.base_url}/oauth/forgot`), 'Esqueceu sua senha?'],
  [
    'forgotten password, asked for',
    async (browser) => {
      const page = await browser.open(`${service.base_url}/oauth/forgot`);
      return browser.submit(page, page.forms[0]!, { email: 'nobody@example.com' });
    },
    'Verifique sua caixa de entrada',
  ],
  [
    'forgotten password, half an address',
    async (browser) => {
      const page = await browser.open(`${service.base_url}/oauth/forgot`);
      return browser.submit(page, page.forms[0]!, { email: 'nobody' });
    },
    'Digite o endereço completo.',
  ],
  [
    'a link for a new password that is old',
    (browser) => browser.open(`${service.base_url}/oauth/reset/old`),
    'Receber um novo link',
  ],
  [
    'an invitation that is old',
    (browser) => browser.open(`${service.base_url}/oauth/invitation/old`),
    'Este convite não funciona mais',
  ],
  [
    'a new address that is old',
    (browser) => browser.open(`${service.base_url}/oauth/address/old`),
    'Este link não funciona mais',
  ],
  [
    'a request that can’t continue',
    (browser) => browser.open(`${service.base_url}/oauth/authorize?client_id=unknown`),
    'Não é possível continuar esta requisição',
  ],
  [
    'a page that has expired',
    (browser) => browser.open(`${service.base_url}/oauth/interaction/unknown`),
    'Esta página expirou',
  ],
  [
    'a form that was refused',
    async (browser) => {
      const page = await browser.open(`${service.base_url}/oauth/forgot`);
      return browser.submit(page, { ...page.forms[0]!, hidden: {} }, { email: 'nobody@example.com' });
    },
    'Este formulário não foi aceito',
  ],
];

test.each(pages)('%s is in the language that the browser requests', async (_name, open, text) => {
  const page = await open(browserOf('pt-PT, en;q=0.5'));
  expectIn('pt', page);
  expect(page.html).toContain(text);
});

describe('in Spanish, a person', () => {
  const language = 'es';
  const browser = () => browserOf('es-MX, es;q=0.9');

  test('accepts an invitation', async () => {
    const email = 'ines@example.com';
    await invite(email);
    const link = await mailbox.link(email, 'Verde Logística invited you'); // nobody has set a language
    const visitor = browser();
    const page = await visitor.open(link);
    expectIn(language, page);
    const faulty: Page[] = [];
    for (const [password, confirmation] of [
      ['short', 'short'],
      ['x'.repeat(201), ''],
      ['password1234567', ''],
      ['abcabcabcabcabcab', ''],
      ['collaborators2025', ''],
      [chosen, 'another'],
    ]) {
      faulty.push(await visitor.submit(page, page.forms[0]!, { password: password!, password_again: confirmation! }));
    }
    for (const each of faulty) expectIn(language, each);
    const alerts = faulty.map(({ html }) => /role="alert">([^<]*)</.exec(html)![1]);
    expect(new Set(alerts).size).toBe(faulty.length);
    const accepted = await visitor.submit(page, page.forms[0]!, { password: chosen, password_again: chosen });
    expect(accepted.status).toBe(200);
    expectIn(language, accepted);
    expect(accepted.html).not.toContain('<nav'); // it can't be opened again
  });

  test('resets the password in the language of the page where they requested it', async () => {
    const email = 'rui@example.com';
    await service.database.query(
      `insert into users (id, email, name, password_hash) select gen_random_uuid(), $1, 'Rui', password_hash from users limit 1`,
      [email],
    );
    const visitor = browser();
    const forgot = await visitor.open(`${service.base_url}/oauth/forgot`);
    await visitor.submit(forgot, forgot.forms[0]!, { email });
    const page = await visitor.open(await mailbox.link(email, 'Elija una contraseña nueva'));
    expectIn(language, page);
    const done = await visitor.submit(page, page.forms[0]!, { password: chosen, password_again: chosen });
    expect(done.status).toBe(200);
    expectIn(language, done);
    expect(await mailbox.subjects(email)).toEqual(['Elija una contraseña nueva', 'Se cambió su contraseña']);
  });
});

describe('the language', () => {
  test('is the app’s before the browser’s, the first supported one', async () => {
    const page = await browserOf('pt').open(url({ ui_locales: 'fr-FR es-AR en' }));
    expectIn('es', page);
    expectIn('pt', await browserOf('pt').open(url({ ui_locales: 'fr' })));
    const error = `${service.base_url}/oauth/authorize?client_id=unknown&ui_locales=es`;
    expectIn('es', await browserOf('pt').open(error));
  });

  test('is the app’s on the page for forgotten passwords that it led to', async () => {
    const browser = browserOf('pt');
    const page = await browser.open(url({ ui_locales: 'es' }));
    const [, href] = /href="(\/oauth\/forgot[^"]*)"/.exec(page.html)!;
    const forgot = await browser.open(service.base_url + href!);
    expectIn('es', forgot);
    expectIn('es', await browser.submit(forgot, forgot.forms[0]!, { email: 'nobody' }));
  });

  test('is the person’s own after sign-in', async () => {
    await set('ana@example.com', 'es-AR');
    const browser = browserOf('pt');
    const page = await browser.open(url({ ui_locales: 'pt' }));
    expectIn('pt', page);
    expectIn('es', await login(page, browser));
    expectIn('es', await browser.open(`${service.base_url}/oauth/sign-out`));
  });

  test('isn’t the person’s before sign-in, which would reveal an account', async () => {
    await set('ana@example.com', 'es-AR');
    const browser = browserOf('pt');
    const page = await browser.open(url());
    expectIn(
      'pt',
      await browser.submit(page, page.forms[0]!, { email: 'ana@example.com', password: 'x', action: 'login' }),
    );
    const forgot = await browser.open(`${service.base_url}/oauth/forgot`);
    expectIn('pt', await browser.submit(forgot, forgot.forms[0]!, { email: 'ana@example.com' }));
  });

  test('is the most recent setting of several companies', async () => {
    await set('ana@example.com', 'pt-BR', 0, '2026-02-01T00:00:00Z');
    await set('ana@example.com', 'es', 1, '2026-01-01T00:00:00Z');
    const consent = async () => {
      const browser = browserOf('en');
      return login(await browser.open(url()), browser);
    };
    expectIn('pt', await consent());
    await set('ana@example.com', 'fr', 0);
    expectIn('es', await consent());
  });

  test('of an invitation is the one in the company’s record', async () => {
    await invite('set@example.com', { locale: 'es-MX', by: mariana });
    const link = await mailbox.link('set@example.com', 'Verde Logística le ha invitado');
    expectIn('es', await browserOf('pt').open(link));
  });

  test('of an invitation email falls back to the inviter’s', async () => {
    await set(mariana, 'pt-BR');
    await invite('unset@example.com', { by: mariana });
    await expect(mailbox.link('unset@example.com', 'Verde Logística convidou você')).resolves.toMatch(/^http/);
  });

  test('of an invitation ignores the records of other companies', async () => {
    await service.database.query(
      `update collaborators set deleted_at = now() where company_id = $1 and email = 'ana@example.com'`,
      [service.company_ids[0]],
    );
    await service.database.query('delete from memberships where company_id = $1 and user_id = $2', [
      service.company_ids[0],
      service.ana.user_id,
    ]);
    await set('ana@example.com', 'es', 1);
    await invite('ana@example.com');
    const link = await mailbox.link('ana@example.com', 'Verde Logística invited you');
    expectIn('pt', await browserOf('pt').open(link));
  });
});

describe('language choice', () => {
  const linksOf = ({ html }: Page) =>
    [...html.matchAll(/<a href="(\?[^"]*)" lang="([^"]*)" hreflang="[^"]*"( aria-current="true")?>([^<]*)</g)].map(
      ([, href, lang, current, name]) => ({
        href: href!.replaceAll('&amp;', '&'),
        lang,
        name,
        current: Boolean(current),
      }),
    );

  test('at the foot of a page keeps the page and applies to the next ones', async () => {
    const browser = browserOf('en');
    const page = await browser.open(`${service.base_url}/oauth/forgot?interaction=abc`);
    const links = linksOf(page);
    expect(links).toEqual([
      { href: '?interaction=abc&lang=en', lang: 'en', name: 'English', current: true },
      { href: '?interaction=abc&lang=pt-BR', lang: 'pt-BR', name: 'Português', current: false },
      { href: '?interaction=abc&lang=es', lang: 'es', name: 'Español', current: false },
    ]);
    const other = await browser.open(new URL(links[2]!.href, page.url).href);
    expectIn('es', other);
    expect(linksOf(other)[2]!.current).toBe(true);
    expectIn('es', await browser.open(url({ ui_locales: 'pt' })));
    const { attributes } = browser.cookies.get('oauth_language')!;
    expect(attributes).toMatch(/HttpOnly/i);
    expect(attributes).not.toMatch(/expires|max-age/i); // a session cookie
  });

  test('during sign-in continues with the open form', async () => {
    const browser = browserOf('en');
    const page = await browser.open(url());
    const failed = await browser.submit(page, page.forms[0]!, { email: 'x', password: 'x', action: 'login' });
    const other = await browser.open(new URL(linksOf(failed)[1]!.href, failed.url).href);
    expectIn('pt', other);
    expectIn('pt', await login(page, browser)); // of the previous page
    expectIn('pt', await browser.open(other.url.replace(/\?.*/, '')));
  });

  test('overrides the person’s setting', async () => {
    await set('ana@example.com', 'es');
    const browser = browserOf('en');
    const page = await browser.open(url());
    await browser.open(`${page.url}?lang=pt-BR`);
    expectIn('pt', await login(page, browser));
  });

  test.each(['fr', '<b>'])('ignores %s', async (lang) => {
    const page = await browserOf('pt').open(`${service.base_url}/oauth/forgot?${new URLSearchParams({ lang })}`);
    expectIn('pt', page);
    expect(page.headers.getSetCookie().join()).not.toContain('language');
    expect(page.html).not.toContain('<b>');
  });
});
