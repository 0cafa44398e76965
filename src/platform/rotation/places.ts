/**
 * Everything that is stored encrypted, and where: what a rotation of ENCRYPTION_KEY has to re-encrypt. A new column
 * whose name ends with `_encrypted`, or a new job with an encrypted payload, needs a line here (a test finds missing
 * ones).
 */

export interface Place {
  /** What it is, for people. */
  name: string;
  /** What its vault is for. */
  purpose: string;
  table: string;
  column: string;
  /** The columns of the primary key; without `company_id`, which the rows of a company have in common. */
  key: readonly string[];
  /** Whether its rows belong to companies. */
  of_company: boolean;
}

export const places: readonly Place[] = [
  {
    name: 'signing keys',
    purpose: 'signing-keys',
    table: 'signing_keys',
    column: 'private_jwk_encrypted',
    key: ['id'],
    of_company: false,
  },
  {
    name: 'sessions, codes and refresh tokens',
    purpose: 'oauth-artifacts',
    table: 'oauth_artifacts',
    column: 'payload_encrypted',
    key: ['kind', 'id_hash'],
    of_company: false,
  },
  {
    name: 'secrets of authenticator apps',
    purpose: 'second-factors',
    table: 'totp_factors',
    column: 'secret_encrypted',
    key: ['id'],
    of_company: false,
  },
  {
    name: 'client secrets of sign-in connections',
    purpose: 'sign-in-connections',
    table: 'sign_in_connections',
    column: 'client_secret_encrypted',
    key: ['id'],
    of_company: false,
  },
  {
    name: 'webhook secrets',
    purpose: 'webhooks',
    table: 'webhooks',
    column: 'secrets_encrypted',
    key: ['id'],
    of_company: true,
  },
  {
    name: 'webhook headers',
    purpose: 'webhooks',
    table: 'webhooks',
    column: 'headers_encrypted',
    key: ['id'],
    of_company: true,
  },
  {
    name: 'kept answers',
    purpose: 'kept-answers',
    table: 'idempotency_keys',
    column: 'body_encrypted',
    key: ['key_hash'],
    of_company: true,
  },
];

/** Jobs whose payload is `{ sealed }`, in base64; they wait in the queue's own tables. */
export const sealedJobs: readonly { name: string; purpose: string; task: string }[] = [
  { name: 'waiting mails', purpose: 'mail-jobs', task: 'sendMail' },
  { name: 'waiting password resets', purpose: 'reset-jobs', task: 'sendPasswordReset' },
];
