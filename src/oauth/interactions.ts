/**
 * Signing in and giving consent: the two moments when the authorization server hands over to a page and waits for a
 * form. A form is taken only with the token that its page carried, and only from our own origin.
 */
import { createHmac } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type Provider from 'oidc-provider';
import { errors, type InteractionResults } from 'oidc-provider';
import type { Database } from '../db/client.ts';
import { toProblem } from '../errors.ts';
import type { Logger } from '../log.ts';
import { deriveKey, sameSecret } from '../secrets.ts';
import { isLoopback } from './clients.ts';
import { activeCompanies, giveConsent } from './consent.ts';
import { type ConsentForm, consentPage, errorPage, type LoginForm, loginPage, type Page, style } from './pages.ts';
import { verifyPassword } from './passwords.ts';
import { parseScopes, scopes } from './scopes.ts';

const max_form_bytes = 64 * 1024;
const wrong_credentials = 'That email address and password don’t match an account.';
const start_again = 'Go back to the app that sent you here, and start again.';
const no_company_ticked = 'Choose at least one company, or deny access.';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface InteractionOptions {
  provider: Provider;
  encryption_key: Buffer;
  base_url: string;
  db: Database;
  log: Logger | undefined;
}

/** What one request of a page works with. */
interface Turn extends Omit<InteractionOptions, 'encryption_key'> {
  req: Request;
  res: Response;
  interaction: Interaction;
  /** What every page of this interaction needs. */
  form: { action: string; csrf_token: string; client_name: string; redirect_uri: string };
}

export function interactionRoutes({ encryption_key, ...options }: InteractionOptions): Router {
  const form_key = deriveKey(encryption_key, 'oauth-forms');
  const begin = async (req: Request, res: Response): Promise<Turn> => {
    const interaction = await options.provider.interactionDetails(req, res);
    const client = await options.provider.Client.find(String(interaction.params.client_id));
    if (interaction.uid !== req.params.uid || !client) throw new errors.SessionNotFound('not this interaction');
    const csrf_token = createHmac('sha256', form_key).update(interaction.uid).digest('base64url');
    const redirect_uri = String(interaction.params.redirect_uri);
    const form = { action: req.path, csrf_token, client_name: client.clientName!, redirect_uri };
    return { ...options, req, res, interaction, form };
  };

  const show: RequestHandler = async (req, res) => {
    const turn = await begin(req, res);
    await (turn.interaction.prompt.name === 'login' ? showLogin(turn) : showConsent(turn));
  };
  const submit: RequestHandler = async (req, res) => {
    const turn = await begin(req, res);
    checkOrigin(req, turn.form.csrf_token, options.base_url);
    if (field(req, 'action') === 'cancel') return finish(turn, denied);
    await (turn.interaction.prompt.name === 'login' ? submitLogin(turn) : submitConsent(turn));
  };

  const router = express.Router({ strict: true, caseSensitive: true });
  const readForm = express.urlencoded({ extended: false, limit: max_form_bytes });
  router.get('/oauth/style.css', (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' });
    res.type('text/css').send(style);
  });
  router.route('/oauth/interaction/:uid').get(show).post(readForm, submit);
  router.use('/oauth/interaction', failurePage(options.log));
  return router;
}

const denied: InteractionResults = { error: 'access_denied', error_description: 'the user did not allow the access' };

async function showLogin(turn: Turn, failed: Partial<LoginForm> = {}): Promise<void> {
  const hint = turn.interaction.params.login_hint;
  const page = loginPage({ ...turn.form, email: typeof hint === 'string' ? hint : '', ...failed });
  send(turn.res, failed.error ? 401 : 200, page);
}

async function submitLogin(turn: Turn): Promise<void> {
  const email = field(turn.req, 'email').replaceAll('\0', '').trim(); // Postgres takes no NUL in a text
  const user = await turn.db.global
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(email)])))
    .executeTakeFirst();
  const right = await verifyPassword(user?.password_hash, field(turn.req, 'password'));
  if (!right || !user) return showLogin(turn, { email, error: wrong_credentials });
  if (turn.interaction.session && turn.interaction.session.accountId !== user.id) await leaveSession(turn);
  await finish(turn, { login: { accountId: user.id } });
}

async function showConsent(turn: Turn, failed: { error?: string } = {}): Promise<void> {
  const { interaction, db, form } = turn;
  const user_id = interaction.session!.accountId;
  const [user, companies] = await Promise.all([
    db.global.selectFrom('users').select(['name', 'email']).where('id', '=', user_id).executeTakeFirstOrThrow(),
    activeCompanies(db, user_id),
  ]);
  const page: ConsentForm = {
    ...form,
    ...failed,
    user,
    permissions: parseScopes(String(interaction.params.scope)).map((scope) => scopes[scope]),
    // A choice of one needs no thought; among several, none is chosen for the user.
    companies: companies.map((company) => ({ ...company, ticked: companies.length === 1 && !failed.error })),
    destination: destinationOf(form.redirect_uri),
  };
  send(turn.res, failed.error ? 400 : 200, consentPage(page));
}

async function submitConsent(turn: Turn): Promise<void> {
  const { req, interaction, db, provider, base_url } = turn;
  if (field(req, 'action') === 'switch') {
    await leaveSession(turn);
    // Nobody is signed in any more, not even by the form before this one: so the next page asks who it is.
    return finish(turn, {}, { mergeWithLastSubmission: false });
  }
  if (field(req, 'action') !== 'allow') return finish(turn, denied);
  const user_id = interaction.session!.accountId;
  const possible = (await activeCompanies(db, user_id)).map((company) => company.id);
  const company_ids = possible.filter((id) => fields(req, 'company').includes(id));
  if (possible.length > 0 && company_ids.length === 0) return showConsent(turn, { error: no_company_ticked });
  const grantId = await giveConsent(provider, db, {
    user_id,
    client_id: String(interaction.params.client_id),
    company_ids,
    resource: base_url,
    scopes: parseScopes(String(interaction.params.scope)),
  });
  await finish(turn, { consent: { grantId } });
}

/** Signs the browser out, so that this interaction may go on for another user. */
async function leaveSession({ provider, interaction }: Turn): Promise<void> {
  const session = interaction.session && (await provider.Session.findByUid(interaction.session.uid));
  await session?.destroy();
  interaction.session = undefined;
  await interaction.persist();
}

async function finish({ provider, req, res }: Turn, result: InteractionResults, options = {}): Promise<void> {
  res.set('Cache-Control', 'no-store');
  await provider.interactionFinished(req, res, result, options);
}

/** @throws 403 for a form that did not come from our own page of this interaction */
function checkOrigin(req: Request, csrf_token: string, base_url: string): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const foreign = (origin && origin !== new URL(base_url).origin) || (site && site !== 'same-origin');
  const token = Buffer.from(field(req, 'csrf_token'));
  if (foreign || !sameSecret(token, Buffer.from(csrf_token))) throw new RefusedForm();
}

/** Has a status, as the errors of express's body parser have. */
class RefusedForm extends Error {
  override name = 'RefusedForm';
  readonly status = 403;
}

function failurePage(log: Logger | undefined): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
    if (error instanceof errors.SessionNotFound) {
      return send(res, status, errorPage({ title: 'This page has expired', advice: start_again, code: 'expired' }));
    }
    if (status >= 400 && status < 500) {
      return send(
        res,
        status,
        errorPage({ title: 'This form was not accepted', advice: start_again, code: 'refused' }),
      );
    }
    const cause = error instanceof errors.TemporarilyUnavailable ? error.cause : error;
    const { status: answered, code, message } = toProblem(cause);
    log?.error({ err: cause }, 'sign-in page');
    send(res, answered, errorPage({ title: 'Something went wrong', advice: message, code }));
  };
}

function send(res: Response, status: number, page: Page): void {
  res.status(status).set(page.headers).send(page.html);
}

function field(req: Request, name: string): string {
  return fields(req, name)[0] ?? '';
}

function fields(req: Request, name: string): string[] {
  const value = (req.body as Record<string, string | string[]> | undefined)?.[name];
  return value === undefined ? [] : [value].flat();
}

function destinationOf(redirect_uri: string): string {
  const { protocol, host, hostname } = new URL(redirect_uri);
  if (!/^https?:$/.test(protocol)) return 'an app on this device';
  return isLoopback(hostname) ? `an app on this device (${host})` : host;
}
