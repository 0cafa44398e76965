/** Continues a sign-in after a company's identity provider has authenticated the person. */
import { levelOf, methods, requiresTwoFactors } from '../../identity/factors/authentication.ts';
import { openTicket, ticketOf, useChallenge } from '../../identity/factors/challenges.ts';
import { hasFactor } from '../../identity/factors/factors.ts';
import { companyRequiresSecondFactor } from '../../identity/factors/needs-factor.ts';
import { unprovenSignInS } from '../../identity/grants/sign-in-age.ts';
import { languageOfUser } from '../../identity/members/own-language.ts';
import { levelParameter } from '../../identity/provider/policy.ts';
import { newSecret } from '../../platform/secrets/secrets.ts';
import { findSignedUser } from './factors/partial-proof.ts';
import type { PageContext } from './shared/page-context.ts';
import { setOwnLanguage } from './shared/page-language.ts';
import { completeSignIn, type Turn } from './sign-in/interaction-turn.ts';
import { requestOwnFactor } from './sign-in/second-step.ts';

const validMs = 5 * 60_000;

interface ByProvider {
  user_id: string;
  company_id: string;
  amr: readonly string[];
  /** When the provider authenticated the person, if it is trusted and proves the time: seconds since 1970. */
  auth_time_s: number | undefined;
  /** Whether this is a re-authentication, for which the provider alone isn't enough. */
  asksOwn: boolean;
  /** The session at the provider, in base64url (`providerSessionHash`). */
  provider_session: string | undefined;
}

const purposeOf = (uid: string) => `signed by provider\n${uid}`;

export function providerTicket({ factors }: Pick<PageContext, 'factors'>, uid: string, signed: ByProvider): string {
  return ticketOf(factors.steps, purposeOf(uid), JSON.stringify({ ...signed, once: newSecret() }), validMs);
}

/**
 * Signs in the ticket's user, or requests their own factor first.
 * @returns false for an invalid or used ticket, or one of another interaction
 */
export async function signInByProvider(turn: Turn, ticket: string): Promise<boolean> {
  const { db, factors, interaction, res } = turn;
  const opened = openTicket(factors.steps, purposeOf(interaction.uid), ticket);
  if (!opened) return false;
  const signed = JSON.parse(opened) as ByProvider & { once: string };
  const found = await findSignedUser(db, signed.user_id);
  const user = found && { ...found, provider_session: signed.provider_session };
  if (!user || !(await useChallenge(db.global, signed.once))) return false;
  setOwnLanguage(res, await languageOfUser(db, user.id));
  const signedInS = signed.auth_time_s ?? (await unprovenSignInS(db, signed.company_id));
  const isEnough = levelOf(signed.amr) === '2fa' && signedInS !== undefined;
  const hasOwn = !isEnough && (await hasFactor(db.global, user.id));
  const isRequired =
    !isEnough &&
    (signed.asksOwn ||
      signedInS === undefined ||
      requiresTwoFactors(interaction.params[levelParameter]) ||
      (await companyRequiresSecondFactor(db, user.id)));
  if (hasOwn || isRequired) await requestOwnFactor(turn, user, hasOwn);
  else await completeSignIn(turn, user, isEnough ? methods.providerWithTwo : methods.provider, signedInS);
  return true;
}
