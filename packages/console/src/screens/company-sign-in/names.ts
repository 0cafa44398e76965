/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const policyNames = () => ({
  any: t`With the provider or with their own account.`,
  connection: t`Addresses of your domains go straight to the provider. Other ways still work.`,
  connection_only: t`Only with the provider. Admins with a passkey can still get in.`,
});

export const peopleNames = () => ({
  admin: t`Admins`,
  manager: t`Managers`,
  employee: t`Employees`,
});

export const kindNames = () => ({
  oidc: t`OpenID Connect`,
  saml: t`SAML 2.0`,
});

export const authenticationNames = () => ({
  client_secret: t`A secret that the provider issued.`,
  private_key_jwt: t`A key of this connection (private_key_jwt). The provider reads its public part from a URL.`,
});

export const samlWayNames = () => ({
  keep: t`Keep the current certificates and addresses.`,
  url: t`By the URL of its metadata.`,
  xml: t`By its metadata, as XML.`,
  hand: t`By individual values.`,
});

export const connectionFieldLabels = () => ({
  name: t`Name`,
  issuer: t`Issuer`,
  client_id: t`Client ID`,
  client_secret: t`Client secret`,
  domains: t`Email domains`,
  saml: t`Your provider`,
  metadata_url: t`Metadata URL`,
  metadata_xml: t`Metadata XML`,
  entity_id: t`Entity ID of the provider`,
  sso_url: t`Sign-in URL`,
  certificates: t`Signing certificates`,
  subject_attribute: t`Subject attribute`,
});
