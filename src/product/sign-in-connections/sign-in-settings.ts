/** What sign-in connections need from the configuration. */
import { Resolver } from 'node:dns/promises';
import { type EncryptionKeys, type Place, type Vault, vault } from '../../platform/secrets/secrets.ts';

export interface SignInSettings {
  /** Seals client secrets. */
  vault: Vault;
  /** Whether providers may be at private addresses and speak plain HTTP. */
  allow_private: boolean;
  /** Looks up the records that prove domains. */
  resolver: Pick<Resolver, 'resolveTxt'>;
}

export function createSignInSettings(config: {
  encryption_keys: EncryptionKeys;
  webhooks: { allow_private: boolean };
  dnsServers: string[] | undefined;
}): SignInSettings {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (config.dnsServers) resolver.setServers(config.dnsServers);
  return {
    vault: vault(config.encryption_keys, 'sign-in-connections'),
    allow_private: config.webhooks.allow_private,
    resolver,
  };
}

/** Where the client secret of a connection is sealed. */
export function secretPlace(id: string): Place {
  return ['sign_in_connections', 'client_secret_encrypted', id];
}
