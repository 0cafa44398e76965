/** The worker and its tasks. Each task of the queue has a file of its name. */
import type { Task } from 'graphile-worker';
import type { Registry } from 'prom-client';
import type { ResetQueue } from '../identity/passwords/password-resets.ts';
import { openPool } from '../platform/connection/pool.ts';
import type { SocketTimeout } from '../platform/connection/postgres-client.ts';
import { sessionTo } from '../platform/connection/session.ts';
import type { AllCompanies } from '../platform/db/across-companies.ts';
import type { Database } from '../platform/db/client.ts';
import type { FileLinks } from '../platform/files/links.ts';
import type { Storage } from '../platform/files/storage.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Mailer } from '../platform/mail/send-mail.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Tracer } from '../platform/observe/span.ts';
import type { TaskName } from '../platform/queue/job-versions.ts';
import { SheetReader } from '../platform/sheets/reader.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { InstallationLinks } from '../product/connections/installation-links.ts';
import { type Courier, createCourier } from '../product/delivery/courier.ts';
import { createDeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { createPresence } from '../product/delivery/presence.ts';
import type { Transport } from '../product/delivery/transport.ts';
import { createExporter, type Exporter, type ExportSettings } from '../product/exports/exporter.ts';
import type { AddressLinks } from '../product/sign-in-address/address-links.ts';
import type { WebhookSettings } from '../product/webhooks/webhook-settings.ts';
import { startDispatcher } from './dispatcher.ts';
import { observed } from './observed.ts';
import { createPeers } from './peers.ts';
import { superviseRunner } from './runner.ts';
import { deliver } from './tasks/deliver.ts';
import type { DeletedRetention } from './tasks/eraseDeleted.ts';
import { runExport } from './tasks/runExport.ts';
import { startUpkeep } from './upkeep.ts';

export interface WorkerOptions {
  url: string;
  /** Of its own connections and those of the queue. */
  socketTimeout: SocketTimeout;
  /** Jobs that run at the same time. */
  concurrency: number;
  /** How often it looks for jobs and events that it was not told of. */
  poll_ms: number;
  /** How often it looks for work that was not begun or not finished. */
  upkeepMs: number;
  /** How long a job, or an import, stays with a worker that gives no sign of life. */
  job_lease_s: number;
  importLeaseS: number;
  exports: ExportSettings;
  db: Database;
  /** Where mailed links lead. */
  base_url: string;
  accessTokenLifetimeS: number;
  /** How long entries of the audit log are kept. */
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
    slowMs?: number;
  };
  storage: Storage;
  /** To files, for what is exported. */
  links: FileLinks;
  quotas: Quotas;
  /** Where figures are kept. */
  registry: Registry;
  /** Undefined where no traces are kept. */
  tracer?: Tracer | undefined;
  log: Logger;
}

export interface Worker {
  /** Starts nothing new; finishes running jobs and webhook requests, which may take as long as such a request may. */
  stop(): Promise<void>;
}

const crontab = `
*/5 * * * * endEmployments
*/5 * * * * expireInvitations
17 * * * * removeExpired
27 * * * * removeOldImports
32 * * * * removeOldExports
37 * * * * removeOldEvents
47 * * * * sweepFiles
7 2 * * * removeOldAudit
52 3 * * * eraseDeleted
`;

interface Tools {
  courier: Courier;
  exporter: Exporter;
  sheets: SheetReader;
  /** For what looks across companies. */
  all: AllCompanies;
  /** Aborted when the worker stops. */
  stopping: AbortSignal;
}

function tasks(options: WorkerOptions, { courier, exporter, sheets, all, stopping }: Tools): Record<TaskName, Task> {
  const {
    db,
    base_url: baseUrl,
    accessTokenLifetimeS,
    auditKeptDays,
    retention,
    mail,
    resets,
    addressLinks,
    installationLinks,
    mailer,
    storage,
    quotas,
    importLeaseS: leaseS,
    tracer,
    log,
  } = options;
  // Loaded by the first run of each: a worker sends webhooks long before it needs most of them.
  return {
    askForInstallations: later(async () => {
      const { askForInstallations } = await import('./tasks/askForInstallations.ts');
      return askForInstallations(db, mail, installationLinks, baseUrl);
    }),
    confirmAddress: later(async () => {
      const { confirmAddress } = await import('./tasks/confirmAddress.ts');
      return confirmAddress(addressLinks, db, mail, baseUrl);
    }),
    deliver: deliver(courier),
    endEmployments: later(async () => (await import('./tasks/endEmployments.ts')).endEmployments(db, all, log)),
    eraseCustomField: later(async () => (await import('./tasks/eraseCustomField.ts')).eraseCustomField(db)),
    eraseDeleted: later(async () => {
      return (await import('./tasks/eraseDeleted.ts')).eraseDeleted(db, storage, retention, log);
    }),
    expireInvitations: later(async () => {
      return (await import('./tasks/expireInvitations.ts')).expireInvitations(db, all, mail, log);
    }),
    followInstallations: later(async () => {
      return (await import('./tasks/followInstallations.ts')).followInstallations(db, mail);
    }),
    recordAccountEntry: later(async () => (await import('./tasks/recordAccountEntry.ts')).recordAccountEntry(db)),
    recordAuditEntry: later(async () => (await import('./tasks/recordAuditEntry.ts')).recordAuditEntry(db)),
    removeExpired: later(async () => {
      return (await import('./tasks/removeExpired.ts')).removeExpired(db, accessTokenLifetimeS, log);
    }),
    removeOldAudit: later(async () =>
      (await import('./tasks/removeOldAudit.ts')).removeOldAudit(db, auditKeptDays, log),
    ),
    removeOldEvents: later(async () => (await import('./tasks/removeOldEvents.ts')).removeOldEvents(db, log)),
    removeOldExports: later(async () =>
      (await import('./tasks/removeOldExports.ts')).removeOldExports(db, storage, log),
    ),
    removeOldImports: later(async () =>
      (await import('./tasks/removeOldImports.ts')).removeOldImports(db, storage, log),
    ),
    runExport: runExport(exporter),
    runImports: later(async () => {
      const { runImports } = await import('./tasks/runImports.ts');
      const tools = { db, storage, sheets, quotas, postage: { mail, base_url: baseUrl }, leaseS, tracer, log };
      return runImports(tools, stopping);
    }),
    sendMail: later(async () => (await import('./tasks/sendMail.ts')).sendMail(mail, mailer, baseUrl)),
    sendPasswordReset: later(async () => {
      return (await import('./tasks/sendPasswordReset.ts')).sendPasswordReset(resets, db, mail, baseUrl);
    }),
    sweepFiles: later(async () => (await import('./tasks/sweepFiles.ts')).sweepFiles(db, storage, log)),
    tellConnectionsEnded: later(async () => (await import('./tasks/tellConnectionsEnded.ts')).tellConnectionsEnded(db)),
    tellFactorsTaken: later(async () => (await import('./tasks/tellFactorsTaken.ts')).tellFactorsTaken(db, mail)),
  };
}

function later(load: () => Promise<Task>): Task {
  let task: Promise<Task> | undefined;
  return async (payload, helpers) => {
    task ??= load();
    return (await task)(payload, helpers);
  };
}

/** Runs until stopped, whatever happens to the connections. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const {
    url,
    concurrency,
    poll_ms: pollMs,
    db,
    mail,
    quotas,
    webhooks,
    storage,
    links,
    registry,
    tracer,
    log,
  } = options;
  const presence = createPresence(webhooks.timeout_ms + webhooks.graceMs);
  const { application_name: applicationName } = presence;
  const socketTimeout = { ...options.socketTimeout, isUnlimited: true };
  const config = sessionTo(url, { max: 2, application_name: applicationName, idleTimeoutMillis: 0, socketTimeout });
  const pool = openPool(config, () => {}); // the next use of the pool gets the error
  const meter = createDeliveryMeter(registry);
  const courier = createCourier({ ...webhooks, presence, db, mail, meter, tracer, log });
  const exporter = createExporter({ db, files: { storage, links }, settings: options.exports, tracer, log });
  const sheets = new SheetReader();
  const stopping = new AbortController();
  const all = { pool, machines: db.machines };
  const tools = { courier, exporter, sheets, all, stopping: stopping.signal };
  const watched = observed(tasks(options, tools), { registry, tracer, log });
  const peers = createPeers();
  // What waits is sent while the queue is still being opened.
  const dispatcher = startDispatcher({ url, pool, db, mail, quotas, meter, courier, poll_ms: pollMs, peers, log });
  const runner = await superviseRunner({
    url,
    socketTimeout,
    concurrency,
    poll_ms: pollMs,
    peers,
    tasks: watched,
    crontab,
    log,
  }).catch(async (error: Error) => {
    await dispatcher.stop();
    throw error;
  });
  const { upkeepMs: everyMs, job_lease_s: jobLeaseS } = options;
  const { workers, freeLostJobs } = runner;
  const ofUpkeep = {
    pool,
    machines: db.machines,
    every_ms: everyMs,
    job_lease_s: jobLeaseS,
    workers,
    freeLostJobs,
    peers,
    log,
  };
  const upkeep = startUpkeep({ ...ofUpkeep, sending: { presence, courier } });
  return {
    async stop() {
      stopping.abort();
      await Promise.all([dispatcher.stop(), upkeep.stop(), runner.stop()]);
      await Promise.all([courier.drain(), exporter.stop(), sheets.close()]);
      await webhooks.transport.close();
      await pool.end();
    },
  };
}
