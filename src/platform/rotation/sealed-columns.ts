/**
 * Everything that is stored encrypted, which a rotation of ENCRYPTION_KEY must re-encrypt. A new column whose name ends with
 * `_encrypted`, or a new job with an encrypted payload, needs an entry here (a test finds missing ones).
 */

export interface SealedColumn {
  /** Displayed to the operator. */
  name: string;
  /** The purpose of its vault. */
  purpose: string;
  table: string;
  column: string;
  /** The columns of the primary key without `company_id`. */
  key: readonly string[];
  /** Whether it is a tenant table. */
  of_company: boolean;
}

export const sealedColumns: readonly SealedColumn[] = [
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
    name: 'keys of sign-in connections',
    purpose: 'sign-in-connections',
    table: 'sign_in_keys',
    column: 'private_jwk_encrypted',
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
    name: 'stored Idempotency-Key responses',
    purpose: 'kept-answers',
    table: 'idempotency_keys',
    column: 'body_encrypted',
    key: ['key_hash'],
    of_company: true,
  },
];

/** Jobs whose payload is `{ sealed }`, in base64, in the queue's tables. */
export const sealedJobs: readonly { name: string; purpose: string; task: string }[] = [
  { name: 'waiting mails', purpose: 'mail-jobs', task: 'sendMail' },
  { name: 'waiting password resets', purpose: 'reset-jobs', task: 'sendPasswordReset' },
];
