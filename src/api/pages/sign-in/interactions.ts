/** The sign-in and consent pages. Forms need the token of their page and our own origin. */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { errors, type InteractionResults } from 'oidc-provider';
import { asIs, type Text, t } from '../../../contract/languages/text.ts';
import { authorizableCompanies, type ClientOwner, clientOwnerOf } from '../../../identity/clients/client-owner.ts';
import { isLoopback } from '../../../identity/clients/redirect-uris.ts';
import { levelOf } from '../../../identity/factors/authentication.ts';
import { companiesBySignInMethod } from '../../../identity/grants/companies-by-sign-in-method.ts';
import { giveConsent } from '../../../identity/grants/consent.ts';
import { revokeGrant } from '../../../identity/grants/grants.ts';
import { isTooOldToInstall } from '../../../identity/grants/installation-sign-in.ts';
import { describeScopes, parseScopes, requestedIdentityScopes } from '../../../identity/grants/scopes.ts';
import { installationRoles, isInstallationRole } from '../../../identity/installations/installations.ts';
import { languageOfUser } from '../../../identity/members/own-language.ts';
import { ageParameter } from '../../../identity/provider/policy.ts';
import { findAccount } from '../../../identity/users/users.ts';
import { recordInCompanies } from '../../../platform/audit/account-entries.ts';
import { anyConnection } from '../../../product/sign-in-connections/connection-at-sign-in.ts';
import { connectionOfAddress } from '../../../product/sign-in-connections/domains.ts';
import { leadsToProvider } from '../../../product/sign-in-connections/sign-in-policy.ts';
import { enabledConnection, redirectToProvider } from '../connection-start.ts';
import { emailField, field, fields, readForm } from '../shared/forms.ts';
import { failurePage, originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { setAppLanguage, setOwnLanguage } from '../shared/page-language.ts';
import { type ConsentForm, consentPage, type LoginForm, loginPage, type Page } from '../shared/pages.ts';
import { requestForm } from '../shared/passkey-forms.ts';
import { isRightPassword, sendTooMany, tooMany } from '../shared/typed-password.ts';
import { signInByProvider } from '../signed-by-provider.ts';
import { accountName, isForAccount, returnToAccount } from './account-sign-in.ts';
import { finish, leaveSession, type Turn } from './interaction-turn.ts';
import { afterPassword, isStep, passkeyPurpose, submitPasskey, submitStep } from './second-step.ts';

const wrongCredentials = t`That email address and password don’t match an account.`;
const restartHint = t`Go back to the app that sent you here, and start again.`;
const passwordChanged = t`Your password was changed. Sign in with the new one.`;
const noProvider = t`No company manages sign-in for that address. Sign in with your password.`;
const noCompanyTicked = t`Choose at least one company, or deny access.`;

const oneCompanyAndRole = t`Choose one company, and what the app may do there.`;

export const roles: Record<string, Text> = { admin: t`admin`, manager: t`manager`, employee: t`employee` };

const purposeOf = ({ uid }: { uid: string }) => `interaction\n${uid}`;

export function interactionPages(context: PageContext): Router {
  const begin = async (req: Request, res: Response): Promise<Turn> => {
    const provider = context.provider();
    const interaction = await provider.interactionDetails(req, res);
    const client = await provider.Client.find(String(interaction.params.client_id));
    if (interaction.uid !== req.params.uid || !client) throw new errors.SessionNotFound('not this interaction');
    setAppLanguage(res, interaction.params.ui_locales);
    const known = interaction.session?.accountId;
    if (known) setOwnLanguage(res, await languageOfUser(context.db, known));
    const csrfToken = context.forms.token(purposeOf(interaction));
    const redirectUri = String(interaction.params.redirect_uri);
    const clientName = isForAccount({ interaction }) ? accountName : client.clientName!;
    const form = { action: req.path, csrf_token: csrfToken, client_name: clientName, redirect_uri: redirectUri };
    return { ...context, provider, req, res, interaction, form };
  };

  const show: RequestHandler = async (req, res) => {
    const turn = await begin(req, res);
    if (turn.interaction.prompt.name === 'login') return showLogin(turn);
    await (isForAccount(turn) ? returnToAccount(turn) : showConsent(turn));
  };
  const submit: RequestHandler = async (req, res) => {
    const turn = await begin(req, res);
    context.forms.check(req, purposeOf(turn.interaction));
    if (field(req, 'action') === 'cancel') return finish(turn, denied);
    if (turn.interaction.prompt.name === 'login') return submitLogin(turn);
    await (isForAccount(turn) ? returnToAccount(turn) : submitConsent(turn));
  };

  const router = express.Router({ strict: true, caseSensitive: true });
  router.route('/oauth/interaction/:uid').get(show).post(readForm, submit);
  router.use('/oauth/interaction', failurePage(context.log, restartHint));
  return router;
}

const denied: InteractionResults = { error: 'access_denied', error_description: 'the user denied access' };

async function showLogin(turn: Turn): Promise<void> {
  const { provider: ticket } = turn.req.query;
  if (typeof ticket === 'string' && (await signInByProvider(turn, ticket))) return;
  const hint = turn.interaction.params.login_hint;
  const notice = turn.req.query.notice === 'password-changed' ? passwordChanged : undefined;
  const loginWith = await loginOf(turn);
  send(turn.res, 200, loginWith({ email: typeof hint === 'string' ? hint : '', notice }));
}

async function loginOf(turn: Turn) {
  const { form, interaction, db, factors, req } = turn;
  const byPassword = req.query.way === 'password' || field(req, 'way') === 'password';
  const offersProvider = !isForAccount(turn) && (await anyConnection(db));
  const more = { offersProvider, byPassword };
  const passkey = await requestForm(db.global, factors, passkeyPurpose(interaction));
  return (formData: Pick<LoginForm, 'email' | 'error' | 'notice'>) =>
    loginPage({ ...form, ...formData, ...more, passkey, forgot: `/oauth/forgot?interaction=${interaction.uid}` });
}

async function submitLogin(turn: Turn): Promise<void> {
  const { req, res, db } = turn;
  const email = emailField(req, 'email');
  const loginWith = await loginOf(turn);
  const formWith = (error: Text) => loginWith({ email, error });
  const action = field(req, 'action');
  if (action === 'passkey') return submitPasskey(turn, formWith);
  if (await tryProviderSignIn(turn, action, email, formWith)) return;
  if (isStep(action)) return submitStep(turn, action, formWith);
  const user = await findAccount(db.global, email);
  const account = user?.id ?? email.toLowerCase();
  const typed = { req, res, user, account, wrong: wrongCredentials, formWith, hasNextStep: true };
  if (!(await isRightPassword(turn, typed)) || !user?.password_hash) return;
  await afterPassword(turn, { ...user, password_hash: user.password_hash });
}

/**
 * For a verified domain every address behaves alike, whether or not it has an account.
 * @returns false to continue with a password
 */
async function tryProviderSignIn(turn: Turn, action: string, email: string, formWith: (error: Text) => Page) {
  const { db, req, res, interaction, limits } = turn;
  const isChosen = action === 'provider';
  if (isForAccount(turn) || (!isChosen && (action !== 'login' || field(req, 'way') === 'password'))) return false;
  const found = await connectionOfAddress(db, email);
  const connection =
    found && (isChosen || leadsToProvider(found)) ? await enabledConnection(turn, found.id) : undefined;
  if (!connection) {
    if (isChosen) send(res, 400, formWith(noProvider));
    return isChosen;
  }
  const waitS = await limits.authorizationRequest(req.ip);
  if (waitS > 0) {
    sendTooMany(res, waitS, formWith(tooMany(waitS)));
    return true;
  }
  const { uid, session, params } = interaction;
  const ageS = Number(params.max_age ?? params[ageParameter] ?? (session?.accountId ? 0 : Number.NaN));
  const reauthentication = Number.isNaN(ageS) ? undefined : { max_age: ageS };
  const errand = { kind: 'interaction', uid, again: reauthentication !== undefined } as const;
  await redirectToProvider(turn, req, res, connection, errand, {
    login_hint: email,
    again: reauthentication,
    other: `/oauth/interaction/${uid}?way=password`,
  });
  return true;
}

async function showConsent(turn: Turn, failed: { error?: Text } = {}): Promise<void> {
  const { interaction, db, form } = turn;
  const userId = interaction.session!.accountId;
  const [user, active, maker] = await Promise.all([
    db.global.selectFrom('users').select(['name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow(),
    companiesBySignInMethod(db, userId, interaction.session!.amr),
    clientOwnerOf(db, String(interaction.params.client_id)),
  ]);
  const allowed = authorizableCompanies(active, maker);
  const companies = eligible(turn, allowed);
  const page: ConsentForm = {
    ...form,
    ...failed,
    user,
    ...makerInfo(maker, allowed),
    installation: isInstallation(turn)
      ? { roles: installationRoles.map((id) => ({ id, name: roles[id]! })) }
      : undefined,
    permissions: describeScopes(String(interaction.params.scope), isInstallation(turn)),
    companies: companies.map((company) => ({
      ...company,
      role: roles[company.role]!,
      ticked: companies.length === 1 && !failed.error,
    })),
    destination: destinationOf(form.redirect_uri),
  };
  send(turn.res, failed.error ? 400 : 200, consentPage(page));
}

function isInstallation({ interaction }: Turn): boolean {
  return interaction.params.installation === 'true';
}

/** Only admins may install an app for a company. */
function eligible<C extends { role: string }>(turn: Turn, companies: C[]): C[] {
  return isInstallation(turn) ? companies.filter(({ role }) => role === 'admin') : companies;
}

function makerInfo(maker: ClientOwner | undefined, companies: readonly { id: string }[]) {
  return {
    maker: maker?.company_name,
    is_foreign: companies.some(({ id }) => maker && id !== maker.company_id),
    // A company's private app is useless to others: explain instead of asking.
    is_refused: maker !== undefined && !maker.isOpen && companies.length === 0,
  };
}

async function submitConsent(turn: Turn): Promise<void> {
  const { req, res, interaction, db, provider, base_url: baseUrl } = turn;
  if (field(req, 'action') === 'switch') {
    await leaveSession(turn);
    // The earlier submission must not sign anybody in, so the next page asks for the user.
    return finish(turn, {}, { mergeWithLastSubmission: false });
  }
  if (field(req, 'action') !== 'allow') return finish(turn, denied);
  const userId = interaction.session!.accountId;
  const clientId = String(interaction.params.client_id);
  const maker = await clientOwnerOf(db, clientId);
  const possibleIds = eligible(
    turn,
    authorizableCompanies(await companiesBySignInMethod(db, userId, interaction.session!.amr), maker),
  ).map((company) => company.id);
  const requestsInstallation = isInstallation(turn);
  if (possibleIds.length === 0 && (requestsInstallation || (maker && !maker.isOpen))) return showConsent(turn);
  const companyIds = possibleIds.filter((id) => fields(req, 'company').includes(id));
  if (possibleIds.length > 0 && companyIds.length === 0) return showConsent(turn, { error: noCompanyTicked });
  const role = field(req, 'role');
  const installationRole = requestsInstallation && isInstallationRole(role) ? role : undefined;
  if (requestsInstallation && (!installationRole || companyIds.length > 1)) {
    return showConsent(turn, { error: oneCompanyAndRole });
  }
  if (requestsInstallation && (await isTooOld(turn, companyIds))) {
    return finish(turn, {}, { mergeWithLastSubmission: false }); // the next page asks for a new sign-in
  }
  const requestedScope = String(interaction.params.scope);
  const grantedScopes = parseScopes(requestedScope);
  const identity = requestedIdentityScopes(requestedScope);
  const grantId = await giveConsent(provider, db, {
    user_id: userId,
    client_id: clientId,
    company_ids: companyIds,
    resource: baseUrl,
    scopes: grantedScopes,
    identity,
    installation_role: installationRole,
  });
  if (
    requestsInstallation &&
    !eligible(turn, await companiesBySignInMethod(db, userId, interaction.session!.amr)).some(({ id }) =>
      companyIds.includes(id),
    )
  ) {
    await revokeGrant(db.global, grantId); // demoted meanwhile
    return showConsent(turn);
  }
  if (!(await provider.Session.findByUid(interaction.session!.uid))) {
    await revokeGrant(db.global, grantId); // signed out everywhere meanwhile
    throw new errors.SessionNotFound('signed out in the meantime');
  }
  await recordInCompanies(db, companyIds, {
    action: installationRole ? 'app.installed' : 'consent.given',
    actor: { type: 'user', user_id: userId, client_id: clientId },
    origin: originOfPage(req, res),
    target: { type: 'client', id: clientId },
    details: {
      grant_id: grantId,
      ...(installationRole && { role: installationRole }),
      scopes: [...identity, ...grantedScopes],
    },
  });
  await finish(turn, { consent: { grantId } });
}

/** Whether the page was open for so long that the sign-in is no longer recent. */
async function isTooOld({ provider, interaction, db }: Turn, companyIds: string[]): Promise<boolean> {
  const session = await provider.Session.findByUid(interaction.session!.uid);
  const signIn = { auth_time_s: session?.authTime(), level: levelOf(session?.amr) };
  return isTooOldToInstall(db, interaction.session!.accountId, signIn, companyIds);
}

function destinationOf(redirectUri: string): Text {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (!/^https?:$/.test(protocol)) return t`an app on this device`;
  return isLoopback(hostname) ? t`an app on this device (${host})` : asIs(host);
}
