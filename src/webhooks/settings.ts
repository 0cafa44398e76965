/** What everything about webhooks needs from the configuration. */
import { type Vault, vault } from '../secrets.ts';

export interface WebhookSettings {
  /** Seals the secrets and headers of subscriptions. */
  vault: Vault;
  /** Whether private addresses and plain HTTP are allowed. */
  allow_private: boolean;
}

/** @param config the settings it is made from */
export function createWebhookSettings(config: {
  encryption_key: Buffer;
  webhooks: { allow_private: boolean };
}): WebhookSettings {
  return { vault: vault(config.encryption_key, 'webhooks'), allow_private: config.webhooks.allow_private };
}
