/** Setup of a second factor, during a sign-in or on the account page. */
import type { Request } from 'express';
import { type Language, languageTags } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import { openTicket, ticketOf } from '../../../identity/factors/challenges.ts';
import { recordFactorAdded } from '../../../identity/factors/factor-changes.ts';
import { addFactor, type FactorKind, maxNameCharacters } from '../../../identity/factors/factors.ts';
import { addPasskey } from '../../../identity/factors/passkeys.ts';
import { addTotp, newTotpSecret, stepOf, totpAddress } from '../../../identity/factors/totp.ts';
import type { Origin } from '../../../platform/audit/entry.ts';
import { field, nameField } from '../shared/forms.ts';
import type { PageContext } from '../shared/page-context.ts';
import { passkeyResponse } from '../shared/passkey-forms.ts';
import { qrCode } from './qr-code.ts';

const lifetimeMs = 30 * 60_000;
const groupLength = 4;

const wrongCode = t`That code doesn’t match. Check that your phone’s clock is right, and enter the latest code.`;
const timedOut = t`That took too long. Set it up again.`;
const notAdded = t`That could not be added. Try again, or use another method.`;

const defaultNames: Record<FactorKind, Text> = { totp: t`Authenticator app`, passkey: t`Passkey` };

type Context = Pick<PageContext, 'db' | 'mail' | 'factors'>;

interface SetUp {
  req: Request;
  user: { id: string; name: string; email: string };
  /** Tickets for another purpose are rejected. */
  purpose: string;
  language: Language;
  origin: Origin;
  /** Whether only the password was proved; an account that already has a factor then gets no other. */
  onlyFirst: boolean;
}

type Added = { codes: string[] } | { problem: Text };

/** @param previousTicket the ticket of the page, to show the same key again */
export function keyForm(
  { factors }: Context,
  { purpose, user }: Pick<SetUp, 'purpose' | 'user'>,
  previousTicket?: string,
) {
  const previousSecret = previousTicket && openTicket(factors.steps, keyPurpose(purpose), previousTicket);
  const secret = previousSecret || newTotpSecret();
  const address = totpAddress(secret, user.email);
  const text = secret.match(new RegExp(`.{1,${groupLength}}`, 'g'))!.join(' ');
  const ticket = ticketOf(factors.steps, keyPurpose(purpose), secret, lifetimeMs);
  return { secret: { ticket, text, address }, qr: qrCode(address) };
}

/** Distinct from passkey challenges, which the page seals the same way. */
function keyPurpose(purpose: string): string {
  return `key\n${purpose}`;
}

export async function confirmApp(context: Context, setUp: SetUp): Promise<Added> {
  const { factors } = context;
  const { req, user, purpose } = setUp;
  const secret = openTicket(factors.steps, keyPurpose(purpose), field(req, 'secret'));
  if (!secret) return { problem: timedOut };
  const step = stepOf(secret, field(req, 'code'), Date.now());
  if (step === undefined) return { problem: wrongCode };
  const name = nameOf(setUp, 'totp');
  return add(context, setUp, 'totp', name, async (tx) => {
    await addTotp(tx, factors.sealed, { user_id: user.id, name, secret, step });
    return true;
  });
}

export async function confirmPasskey(context: Context, setUp: SetUp): Promise<Added> {
  const { req, user, purpose } = setUp;
  const response = await passkeyResponse(context.db.global, context.factors, purpose, req);
  if (response === 'stale') return { problem: timedOut };
  if (!response) return { problem: notAdded };
  const name = nameOf(setUp, 'passkey');
  const { rp, sent, challenge } = response;
  return add(context, setUp, 'passkey', name, (tx) => addPasskey(tx, rp, { user_id: user.id, name, sent, challenge }));
}

async function add(
  { db, mail }: Context,
  { user, origin, language, onlyFirst }: SetUp,
  kind: FactorKind,
  name: string,
  write: Parameters<typeof addFactor>[2],
): Promise<Added> {
  const codes = await addFactor(
    db.global,
    user.id,
    async (tx) => {
      if (!(await write(tx))) return false;
      const values = { name: user.name, factor: name };
      await mail.queue(tx, { template: 'factor_added', to: user.email, language, values });
      await recordFactorAdded(tx, { user_id: user.id, origin }, kind);
      return true;
    },
    onlyFirst,
  );
  return codes ? { codes } : { problem: notAdded };
}

function nameOf({ req, language }: SetUp, kind: FactorKind): string {
  const typed = nameField(req, 'name').slice(0, maxNameCharacters);
  return typed || defaultNames[kind].translate(language in languageTags ? language : 'en');
}
