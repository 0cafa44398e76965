/** Setting up a second factor: in a sign-in, and on the page of the account. */
import type { Request } from 'express';
import { type Language, languageTags } from '../../contract/languages/language.ts';
import { say, type Text } from '../../contract/languages/text.ts';
import { openTicket, ticketOf } from '../../identity/factors/challenges.ts';
import { recordFactorAdded } from '../../identity/factors/factor-changes.ts';
import { addFactor, type FactorKind, longest_name_characters } from '../../identity/factors/factors.ts';
import { addPasskey } from '../../identity/factors/passkeys.ts';
import { addTotp, newTotpSecret, stepOf, totpAddress } from '../../identity/factors/totp.ts';
import type { Origin } from '../../platform/audit/entry.ts';
import { field, nameField } from './forms.ts';
import type { PageContext } from './page-context.ts';
import { answered } from './passkey-forms.ts';
import { qrCode } from './qr-code.ts';

const lifetime_ms = 30 * 60_000;
const letters_a_group = 4;

const wrong_code = say`That is not the code of this key. Look whether the clock of your phone is right, and type the newest code.`;
const took_too_long = say`That took too long. Set it up once more.`;
const not_added = say`That could not be added. Try again, or use another way.`;

/** What a person has called it, or what it is called when they did not. */
const usual_names: Record<FactorKind, Text> = { totp: say`Authenticator app`, passkey: say`Passkey` };

type Context = Pick<PageContext, 'db' | 'mail' | 'factors'>;

/** Who sets it up, and for what the page was made. */
interface SetUp {
  req: Request;
  user: { id: string; name: string; email: string };
  /** Of the page: what was made for another one is refused. */
  purpose: string;
  language: Language;
  origin: Origin;
  /** Whether only the password was proved: then nobody who has a factor gets another one. */
  only_first: boolean;
}

/** The recovery codes, when it was the first; or what is wrong. */
type Added = { codes: string[] } | { problem: Text };

/** @param again what the page carried, to show the same key once more */
export function keyForm({ factors }: Context, { purpose, user }: Pick<SetUp, 'purpose' | 'user'>, again?: string) {
  const kept = again && openTicket(factors.steps, keyPurpose(purpose), again);
  const secret = kept || newTotpSecret();
  const address = totpAddress(secret, user.email);
  const text = secret.match(new RegExp(`.{1,${letters_a_group}}`, 'g'))!.join(' ');
  const ticket = ticketOf(factors.steps, keyPurpose(purpose), secret, lifetime_ms);
  return { secret: { ticket, text, address }, qr: qrCode(address) };
}

/** The page carries a challenge for a passkey as well, sealed in the same way, which is no key. */
function keyPurpose(purpose: string): string {
  return `key\n${purpose}`;
}

/** Adds the app whose code was typed. */
export async function confirmApp(context: Context, set_up: SetUp): Promise<Added> {
  const { factors } = context;
  const { req, user, purpose } = set_up;
  const secret = openTicket(factors.steps, keyPurpose(purpose), field(req, 'secret'));
  if (!secret) return { problem: took_too_long };
  const step = stepOf(secret, field(req, 'code'), Date.now());
  if (step === undefined) return { problem: wrong_code };
  const name = nameOf(set_up, 'totp');
  return add(context, set_up, 'totp', name, async (tx) => {
    await addTotp(tx, factors.sealed, { user_id: user.id, name, secret, step });
    return true;
  });
}

/** Adds the passkey that the browser has made. */
export async function confirmPasskey(context: Context, set_up: SetUp): Promise<Added> {
  const { req, user, purpose } = set_up;
  const made = await answered(context.db.global, context.factors, purpose, req);
  if (made === 'stale') return { problem: took_too_long };
  if (!made) return { problem: not_added };
  const name = nameOf(set_up, 'passkey');
  const { rp, sent, challenge } = made;
  return add(context, set_up, 'passkey', name, (tx) => addPasskey(tx, rp, { user_id: user.id, name, sent, challenge }));
}

async function add(
  { db, mail }: Context,
  { user, origin, language, only_first }: SetUp,
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
    only_first,
  );
  return codes ? { codes } : { problem: not_added };
}

function nameOf({ req, language }: SetUp, kind: FactorKind): string {
  const typed = nameField(req, 'name').slice(0, longest_name_characters);
  return typed || usual_names[kind].in(language in languageTags ? language : 'en');
}
