/** What a worker is started with, by the settings of the service: the same wherever one is started. */
import { createResetQueue } from '../identity/passwords/password-resets.ts';
import type { Config } from '../platform/config/config.ts';
import type { SilentConnection } from '../platform/connection/postgres-client.ts';
import { createInstallationLinks } from '../product/connections/installation-links.ts';
import { createTransport } from '../product/delivery/transport.ts';
import { createAddressLinks } from '../product/sign-in-address/address-links.ts';
import { createWebhookSettings } from '../product/webhooks/webhook-settings.ts';
import type { WorkerOptions } from './worker.ts';

/** What there is of it already. */
type Ground = Pick<
  WorkerOptions,
  'url' | 'db' | 'base_url' | 'mail' | 'mailer' | 'storage' | 'links' | 'quotas' | 'registry' | 'tracer' | 'log'
>;

/** @param onCut told about connections that are cut because they are silent */
export function workerOptions(
  config: Config,
  ground: Ground,
  onCut?: (error: SilentConnection) => void,
): WorkerOptions {
  const { encryption_keys, access_token_lifetime_s, audit_retention_days, retention, webhooks } = config;
  const { allow_private, timeout_ms } = webhooks;
  return {
    ...config.worker,
    ...ground,
    socketTimeout: { limit_ms: config.database.socket_timeout_ms, onCut },
    exports: config.exports,
    access_token_lifetime_s,
    audit_kept_days: audit_retention_days,
    retention: { ...retention, encryption_keys },
    resets: createResetQueue(encryption_keys),
    address_links: createAddressLinks(encryption_keys),
    installation_links: createInstallationLinks(encryption_keys),
    webhooks: {
      ...webhooks,
      settings: createWebhookSettings(config),
      transport: createTransport({ allow_private, timeout_ms }),
    },
  };
}
