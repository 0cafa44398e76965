/** The worker's options from the service settings, shared by all entry points. */
import { createResetQueue } from '../identity/passwords/password-resets.ts';
import type { Config } from '../platform/config/config.ts';
import type { SilentConnection } from '../platform/connection/postgres-client.ts';
import { createInstallationLinks } from '../product/connections/installation-links.ts';
import { createTransport } from '../product/delivery/transport.ts';
import { createAddressLinks } from '../product/sign-in-address/address-links.ts';
import { createWebhookSettings } from '../product/webhooks/subscriptions/webhook-settings.ts';
import type { WorkerOptions } from './worker.ts';

type ServiceResources = Pick<
  WorkerOptions,
  'url' | 'db' | 'base_url' | 'mail' | 'mailer' | 'storage' | 'links' | 'quotas' | 'registry' | 'tracer' | 'log'
>;

export function workerOptions(
  config: Config,
  resources: ServiceResources,
  onCut?: (error: SilentConnection) => void,
): WorkerOptions {
  const { encryption_keys: encryptionKeys, accessTokenLifetimeS, auditRetentionDays, retention, webhooks } = config;
  const { allow_private: allowPrivate, timeout_ms: timeoutMs } = webhooks;
  return {
    ...config.worker,
    ...resources,
    socketTimeout: { limitMs: config.database.socketTimeoutMs, onCut },
    exports: config.exports,
    accessTokenLifetimeS,
    auditKeptDays: auditRetentionDays,
    retention: { ...retention, encryption_keys: encryptionKeys },
    resets: createResetQueue(encryptionKeys),
    addressLinks: createAddressLinks(encryptionKeys),
    installationLinks: createInstallationLinks(encryptionKeys),
    webhooks: {
      ...webhooks,
      settings: createWebhookSettings(config),
      transport: createTransport({ allow_private: allowPrivate, timeout_ms: timeoutMs }),
    },
  };
}
