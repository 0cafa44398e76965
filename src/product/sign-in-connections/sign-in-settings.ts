import { Resolver } from 'node:dns/promises';
import { type EncryptionKeys, type SealContext, type Vault, vault } from '../../platform/secrets/secrets.ts';

export interface SignInSettings {
  /** Encrypts client secrets. */
  vault: Vault;
  /** Whether private addresses and plain HTTP are allowed. */
  allow_private: boolean;
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

export function secretContext(id: string): SealContext {
  return ['sign_in_connections', 'client_secret_encrypted', id];
}
