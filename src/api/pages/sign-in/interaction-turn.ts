/** One request to the interaction pages between an app and its code: context and completion. */
import type { Request, Response } from 'express';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import type { Text } from '../../../contract/languages/text.ts';
import { recordDevice } from '../../../identity/devices/devices.ts';
import { methods } from '../../../identity/factors/authentication.ts';
import { passwordMark } from '../../../identity/passwords/passwords.ts';
import { isOfProvider } from '../../../identity/provider-users/provider-mark.ts';
import { signedInDevice } from '../../../identity/sessions/sessions.ts';
import { originOfPage, type PageContext } from '../shared/page-context.ts';
import { notifyNewDevice } from './new-device.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

export interface Turn extends Omit<PageContext, 'provider'> {
  provider: Provider;
  req: Request;
  res: Response;
  interaction: Interaction;
  form: { action: string; csrf_token: string; client_name: string | Text; redirect_uri: string };
}

/**
 * Completes the sign-in of a fully authenticated user.
 * @param amr the methods used
 * @param signedInS time in seconds since 1970; defaults to now
 */
export async function completeSignIn(
  turn: Turn,
  user: { id: string; password_hash: string; provider_session?: string | undefined },
  amr: readonly string[],
  signedInS?: number,
): Promise<void> {
  const { interaction, devices, db, encryption_keys: encryptionKeys, req, res } = turn;
  if (interaction.session && interaction.session.accountId !== user.id) await leaveSession(turn);
  const hadCookie = devices.idOf(req, user.id) !== undefined;
  const cookieId = devices.remember(req, res, user.id);
  const { ip, user_agent: userAgent } = originOfPage(req, res);
  const session = user.provider_session && Buffer.from(user.provider_session, 'base64url');
  const deviceInfo = { cookieId, ip, user_agent: userAgent ?? undefined, provider_session: session || undefined };
  const device = await recordDevice(db, encryptionKeys, user.id, deviceInfo);
  await notifyNewDevice(turn, { req, res, user_id: user.id, isKnown: hadCookie && !device.wasSignedOut });
  const { password_hash: stored } = user;
  // Here their own factor follows the provider's sign-in, not a password.
  const usedMethods = isOfProvider(stored) ? amr.map((each) => (each === 'pwd' ? methods.provider[0] : each)) : amr;
  const ts = signedInS === undefined ? {} : { ts: Math.min(signedInS, Math.floor(Date.now() / 1_000)) };
  const login = { accountId: user.id, acr: passwordMark(stored), amr: [...usedMethods], ...ts };
  await finish(turn, { login, [signedInDevice]: device.id });
}

/** Ends the browser's session, so that the interaction can continue with another user. */
export async function leaveSession({ provider, interaction }: Turn): Promise<void> {
  const session = interaction.session && (await provider.Session.findByUid(interaction.session.uid));
  await session?.destroy();
  interaction.session = undefined;
  await interaction.persist();
}

export async function finish({ provider, req, res }: Turn, result: InteractionResults, options = {}): Promise<void> {
  res.set('Cache-Control', 'no-store');
  await provider.interactionFinished(req, res, result, options);
}
