/** The worker's options from the service settings, shared by all entry points. */
import type { Registry } from 'prom-client';
import { createResetQueue, type ResetQueue } from '../identity/passwords/password-resets.ts';
import type { Config } from '../platform/config/config.ts';
import type { SilentConnection, SocketTimeout } from '../platform/connection/postgres-client.ts';
import type { Database } from '../platform/db/client.ts';
import type { FileLinks } from '../platform/files/links.ts';
import type { Storage } from '../platform/files/store/storage.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Mailer } from '../platform/mail/send-mail.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Tracer } from '../platform/observe/span.ts';
import type { EncryptionKeys } from '../platform/secrets/secrets.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import { createInstallationLinks, type InstallationLinks } from '../product/connections/installation-links.ts';
import { createTransport, type Transport } from '../product/delivery/transport.ts';
import type { ExportSettings } from '../product/exports/exporter.ts';
import { type AddressLinks, createAddressLinks } from '../product/sign-in-address/address-links.ts';
import { createWebhookSettings, type WebhookSettings } from '../product/webhooks/subscriptions/webhook-settings.ts';
import type { DeletedRetention } from './tasks/cleanup/eraseDeleted.ts';

export interface WorkerOptions {
  url: string;
  /** For its own connections and those of the queue. */
  socketTimeout: SocketTimeout;
  encryptionKeys: EncryptionKeys;
  concurrency: number;
  /** Poll interval for unannounced jobs and events. */
  poll_ms: number;
  /** Interval of checks for abandoned work. */
  upkeepMs: number;
  /** How long a worker keeps a job or import without a heartbeat. */
  job_lease_s: number;
  importLeaseS: number;
  exports: ExportSettings;
  db: Database;
  base_url: string;
  accessTokenLifetimeS: number;
  auditKeptDays: number;
  retention: DeletedRetention;
  mail: MailQueue;
  resets: ResetQueue;
  addressLinks: AddressLinks;
  installationLinks: InstallationLinks;
  mailer: Mailer;
  webhooks: {
    settings: WebhookSettings;
    transport: Transport;
    timeout_ms: number;
    graceMs: number;
    inFlight: number;
    inFlightPerSubscription: number;
    /** Concurrent turns; default: 100. */
    slots?: number;
    turnMs?: number;
    lingerMs?: number;
  };
  storage: Storage;
  links: FileLinks;
  quotas: Quotas;
  registry: Registry;
  tracer?: Tracer | undefined;
  log: Logger;
}

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
    encryptionKeys,
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
