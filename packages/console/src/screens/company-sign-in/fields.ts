/** What the form of a sign-in connection holds. */

export interface ConnectionFields {
  kind: 'oidc' | 'saml';
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  saml: SamlFields;
  sign_in: 'any' | 'connection' | 'connection_only';
  trusts_provider: boolean;
  /** One a line. */
  domains: string;
}

export interface SamlFields {
  /** `keep`: as it is, of a connection that is there. */
  way: 'url' | 'xml' | 'hand' | 'keep';
  metadata_url: string;
  metadata_xml: string;
  entity_id: string;
  sso_url: string;
  /** In PEM, one after the other. */
  certificates: string;
  subject_attribute: string;
}
