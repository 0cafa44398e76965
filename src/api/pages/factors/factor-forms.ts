/** The pages of second factors: proof, app set-up, recovery codes, and the list. */
import { type Text, t } from '../../../contract/languages/text.ts';
import { type Factor, maxNameCharacters } from '../../../identity/factors/factors.ts';
import { clientPolicy, type Form, ownForm, type Page, page, secretAddress, withScript } from '../shared/pages.ts';
import type { PasskeyForm } from '../shared/passkey-forms.ts';
import type { QrCode } from './qr-code.ts';

interface ProofForm extends Form {
  title: Text;
  lead: Text;
  asks_for: 'password' | 'code';
  step: { action: string; label: Text };
  signed?: string;
  passkey: PasskeyForm | undefined;
  /** The action of the passkey form, unless it follows a password. */
  passkey_step?: 'passkey';
  /** Set in a sign-in, which can be canceled. */
  redirect_uri?: string;
  hasSecretAddress?: boolean;
}

export function proofPage(form: ProofForm): Page {
  return page('@sign-in/proof', form, policyOf(form));
}

interface SetUpForm extends Form {
  lead: Text;
  /** The encrypted secret, and the secret for apps that can't scan. */
  secret: { ticket: string; text: string; address: string };
  qr: QrCode;
  signed?: string;
  passkey: PasskeyForm | undefined;
  redirect_uri?: string;
}

export function setUpPage(form: SetUpForm): Page {
  const title = t`Set up a second factor`;
  return page('@sign-in/set-up', { ...form, title, longest_name_characters: maxNameCharacters }, policyOf(form));
}

interface CodesForm extends Form {
  codes: string[];
  signed?: string;
  redirect_uri?: string;
}

export function recoveryCodesPage(form: CodesForm): Page {
  return page(
    '@sign-in/recovery-codes',
    { ...form, title: t`Your recovery codes` },
    policyOf({ ...form, passkey: undefined }),
  );
}

interface FactorsForm extends Form {
  factors: (Factor & { used: string | undefined })[];
  codes_left: Text;
  passkey: PasskeyForm | undefined;
  notice?: Text | undefined;
}

export function factorsPage(form: FactorsForm): Page {
  return page(
    '@sign-in/second-factor',
    { ...form, title: t`Second factor`, longest_name_characters: maxNameCharacters },
    policyOf(form),
  );
}

interface Destination {
  passkey: PasskeyForm | undefined;
  redirect_uri?: string | undefined;
  hasSecretAddress?: boolean | undefined;
}

function policyOf({ redirect_uri: redirectUri, passkey, hasSecretAddress }: Destination) {
  const policy = redirectUri ? clientPolicy({ redirect_uri: redirectUri }) : hasSecretAddress ? secretAddress : ownForm;
  return passkey ? withScript(policy) : policy;
}
