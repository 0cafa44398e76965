/** Form state of a sign-in connection. */

export type SignInPolicy = 'any' | 'connection' | 'connection_only';

export const signInRoles = ['admin', 'manager', 'employee'] as const;

export type PolicyOfRoles = Record<(typeof signInRoles)[number], SignInPolicy | ''>;

export interface ConnectionFields {
  kind: 'oidc' | 'saml';
  name: string;
  issuer: string;
  client_id: string;
  client_authentication: 'client_secret' | 'private_key_jwt';
  client_secret: string;
  saml: SamlFields;
  sign_in: SignInPolicy;
  /** Empty where `sign_in` decides. */
  sign_in_by_role: PolicyOfRoles;
  trusts_provider: boolean;
  /** One per line. */
  domains: string;
}

export interface SamlFields {
  /** `keep` leaves the values of an existing connection unchanged. */
  way: 'url' | 'xml' | 'hand' | 'keep';
  metadata_url: string;
  metadata_xml: string;
  entity_id: string;
  sso_url: string;
  /** PEM blocks, one after the other. */
  certificates: string;
  subject_attribute: string;
}
