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

/** Each page by how to open it, with its heading in three languages. */
const pages: [string, (browser: ReturnType<typeof browserOf>) => Promise<Page>, Record<Language, string>][] = [
  ['sign-in', (browser) => browser.open(url()), { en: 'Sign in', pt: 'Entrar', es: 'Iniciar sesión' }],
  [
    'sign-in that failed',
    async (browser) => {
      const page = await browser.open(url());
      return browser.submit(page, page.forms[0]!, { email: 'x@example.com', password: 'x', action: 'login' });
    },
    {
      en: 'That email address and password don’t match an account.',
      pt: 'Esse endereço de e-mail e essa senha não correspondem a nenhuma conta.',
      es: 'Esa dirección de correo y esa contraseña no corresponden a ninguna cuenta.',
    },
  ],
  [
    'consent',
    async (browser) => login(await browser.open(url()), browser),
    { en: 'See salaries', pt: 'Ver salários', es: 'Ver salarios' },
  ],
  [
    'consent without a company',
    async (browser) => {
      const page = await login(await browser.open(url()), browser);
      return browser.submit(page, page.forms[1]!, { action: 'allow' });
    },
    {
      en: 'Choose at least one company, or deny access.',
      pt: 'Escolha pelo menos uma empresa ou negue o acesso.',
      es: 'Elija al menos una empresa o deniegue el acceso.',
    },
  ],
  [
    'sign-out',
    async (browser) => {
      await login(await browser.open(url()), browser);
      return browser.open(`${service.base_url}/oauth/sign-out`);
    },
    { en: 'Sign out?', pt: 'Sair?', es: '¿Cerrar la sesión?' },
  ],
  [
    'signed out',
    (browser) => browser.open(`${service.base_url}/oauth/sign-out`),
    { en: 'You are signed out', pt: 'Você saiu da sua conta', es: 'Se cerró la sesión' },
  ],
  [
    'forgotten password',
    (browser) => browser.open(`${service.base_url}/oauth/forgot`),
    { en: 'Forgot your password?', pt: 'Esqueceu sua senha?', es: '¿Olvidó su contraseña?' },
  ],
  [
    'forgotten password, asked for',
    async (browser) => {
      const page = await browser.open(`${service.base_url}/oauth/forgot`);
      return browser.submit(page, page.forms[0]!, { email: 'nobody@example.com' });
    },
    { en: 'Check your inbox', pt: 'Verifique sua caixa de entrada', es: 'Revise su bandeja de entrada' },
  ],
  [
    'forgotten password, half an address',
    async (browser) => {
      const page = await browser.open(`${service.base_url}/oauth/forgot`);
      return browser.submit(page, page.forms[0]!, { email: 'nobody' });
    },
    { en: 'Type the whole address.', pt: 'Digite o endereço completo.', es: 'Escriba la dirección completa.' },
  ],
  [
    'a link for a new password that is old',
    (browser) => browser.open(`${service.base_url}/oauth/reset/old`),
    { en: 'Get a new link', pt: 'Receber um novo link', es: 'Solicitar un enlace nuevo' },
  ],
  [
    'an invitation that is old',
    (browser) => browser.open(`${service.base_url}/oauth/invitation/old`),
    {
      en: 'This invitation no longer works',
      pt: 'Este convite não funciona mais',
      es: 'Esta invitación ya no funciona',
    },
  ],
  [
    'a new address that is old',
    (browser) => browser.open(`${service.base_url}/oauth/address/old`),
    { en: 'This link no longer works', pt: 'Este link não funciona mais', es: 'Este enlace ya no funciona' },
  ],
  [
    'a request that can’t continue',
    (browser) => browser.open(`${service.base_url}/oauth/authorize?client_id=unknown`),
    {
      en: 'This request can’t continue',
      pt: 'Não é possível continuar esta requisição',
      es: 'No se puede continuar con esta solicitud',
    },
  ],
  [
    'a page that has expired',
    (browser) => browser.open(`${service.base_url}/oauth/interaction/unknown`),
    { en: 'This page has expired', pt: 'Esta página expirou', es: 'Esta página ha caducado' },
  ],
  [
    'a form that was refused',
    async (browser) => {
      const page = await browser.open(`${service.base_url}/oauth/forgot`);
      return browser.submit(page, { ...page.forms[0]!, hidden: {} }, { email: 'nobody@example.com' });
    },
    {
      en: 'This form was not accepted',
      pt: 'Este formulário não foi aceito',
      es: 'No se aceptó este formulario',
    },
  ],
];

const headers = { en: 'en-GB', pt: 'pt-PT, en;q=0.5', es: 'es-MX, es;q=0.9' };
const languages = Object.keys(tags) as Language[];

describe.each(pages)('%s', (_name, open, texts) => {
  test.each(languages)('in %s as the browser requests', async (language) => {
    const page = await open(browserOf(headers[language]));
    expectIn(language, page);
    expect(page.html).toContain(texts[language].replaceAll("'", '&#39;'));
  });
});

describe.each(languages)('in %s, a person', (language) => {
  const browser = () => browserOf(headers[language]);

  test('accepts an invitation', async () => {
    const email = `ines.${language}@example.com`;
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
    const email = `rui.${language}@example.com`;
    await service.database.query(
      `insert into users (id, email, name, password_hash) select gen_random_uuid(), $1, 'Rui', password_hash from users limit 1`,
      [email],
    );
    const visitor = browser();
    const forgot = await visitor.open(`${service.base_url}/oauth/forgot`);
    await visitor.submit(forgot, forgot.forms[0]!, { email });
    const requestSubjects = {
      en: 'Choose a new password',
      pt: 'Escolha uma nova senha',
      es: 'Elija una contraseña nueva',
    };
    const page = await visitor.open(await mailbox.link(email, requestSubjects[language]));
    expectIn(language, page);
    const done = await visitor.submit(page, page.forms[0]!, { password: chosen, password_again: chosen });
    expect(done.status).toBe(200);
    expectIn(language, done);
    const changedSubjects = {
      en: 'Your password was changed',
      pt: 'Sua senha foi alterada',
      es: 'Se cambió su contraseña',
    };
    expect(await mailbox.subjects(email)).toEqual([requestSubjects[language], changedSubjects[language]]);
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

  test.each(['fr', '', 'x'.repeat(2000), '<b>'])('ignores %s', async (lang) => {
    const page = await browserOf('pt').open(`${service.base_url}/oauth/forgot?${new URLSearchParams({ lang })}`);
    expectIn('pt', page);
    expect(page.headers.getSetCookie().join()).not.toContain('language');
    expect(page.html).not.toContain('<b>');
  });
});
