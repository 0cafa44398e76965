import { type EncryptionKeys, type Vault, vault } from '../../../platform/secrets/secrets.ts';

export interface WebhookSettings {
  vault: Vault;
  /** Whether private addresses and plain HTTP are allowed. */
  allow_private: boolean;
}

export function createWebhookSettings(config: {
  encryption_keys: EncryptionKeys;
  webhooks: { allow_private: boolean };
}): WebhookSettings {
  return { vault: vault(config.encryption_keys, 'webhooks'), allow_private: config.webhooks.allow_private };
}
