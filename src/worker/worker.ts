/** The worker and its tasks. Each task has a file of its name. */
import type { Task } from 'graphile-worker';
import type { Registry } from 'prom-client';
import type { ResetQueue } from '../identity/passwords/password-resets.ts';
import { openPool } from '../platform/connection/pool.ts';
import type { SocketTimeout } from '../platform/connection/postgres-client.ts';
import { sessionTo } from '../platform/connection/session.ts';
import type { AllCompanies } from '../platform/db/across-companies.ts';
import type { Database } from '../platform/db/client.ts';
import type { FileLinks } from '../platform/files/links.ts';
import type { Storage } from '../platform/files/store/storage.ts';
import type { MailQueue } from '../platform/mail/mail-queue.ts';
import type { Mailer } from '../platform/mail/send-mail.ts';
import type { Logger } from '../platform/observe/log.ts';
import type { Tracer } from '../platform/observe/span.ts';
import type { TaskName } from '../platform/queue/job-versions.ts';
import { SheetReader } from '../platform/sheets/reader.ts';
import { newId } from '../platform/values/ids.ts';
import type { Quotas } from '../product/companies/quotas.ts';
import type { InstallationLinks } from '../product/connections/installation-links.ts';
import { createDeliveryMeter } from '../product/delivery/delivery-meter.ts';
import { createTurns } from '../product/delivery/running-turns.ts';
import type { Transport } from '../product/delivery/transport.ts';
import { createSyncMeter, type SyncMeter } from '../product/directories/directory-meter.ts';
import { createExporter, type Exporter, type ExportSettings } from '../product/exports/exporter.ts';
import type { AddressLinks } from '../product/sign-in-address/address-links.ts';
import { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';
import type { WebhookSettings } from '../product/webhooks/subscriptions/webhook-settings.ts';
import { startDispatcher } from './dispatcher.ts';
import { observed } from './observed-tasks.ts';
import { startUpkeep } from './recovery.ts';
import { superviseRunner } from './runner.ts';
import type { DeletedRetention } from './tasks/cleanup/eraseDeleted.ts';
import { deliverWebhook } from './tasks/deliverWebhook.ts';
import { runExport } from './tasks/runExport.ts';
import { superviseTurns } from './turns-runner.ts';
import { createPeers } from './worker-rank.ts';

export interface WorkerOptions {
  url: string;
  /** For its own connections and those of the queue. */
  socketTimeout: SocketTimeout;
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

export interface Worker {
  /** Finishes running jobs and webhook requests, up to the timeout of a request, and starts nothing new. */
  stop(): Promise<void>;
}

const crontab = `
*/5 * * * * endEmployments
*/5 * * * * expireInvitations
*/5 * * * * followDirectories
*/5 * * * * wakeOverdueWebhooks
17 * * * * removeExpired
27 * * * * removeOldImports
32 * * * * removeOldExports
37 * * * * removeOldEvents
47 * * * * sweepFiles
7 2 * * * removeOldAudit
52 3 * * * eraseDeleted
12 6 * * * warnOfCertificates
`;

type TaskOfTurns = typeof deliverTask;
type TaskOfQueue = Exclude<TaskName, TaskOfTurns>;

/** How far beyond the duration of an attempt a delivery may wait without a job. */
const overdueMs = 15_000;

interface Tools {
  syncMeter: SyncMeter;
  exporter: Exporter;
  sheets: SheetReader;
  all: AllCompanies;
  stopping: AbortSignal;
}

function tasks(
  options: WorkerOptions,
  { exporter, sheets, syncMeter, all, stopping }: Tools,
): Record<TaskOfQueue, Task> {
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
    webhooks,
    tracer,
    log,
  } = options;
  // Loaded on first use: a worker sends webhooks long before it needs most tasks.
  return {
    requestInstallationApproval: later(async () => {
      const { requestInstallationApproval } = await import('./tasks/accounts/requestInstallationApproval.ts');
      return requestInstallationApproval(db, mail, installationLinks, baseUrl);
    }),
    confirmAddress: later(async () => {
      const { confirmAddress } = await import('./tasks/accounts/confirmAddress.ts');
      return confirmAddress(addressLinks, db, mail, baseUrl);
    }),
    endEmployments: later(async () => (await import('./tasks/endEmployments.ts')).endEmployments(db, all, log)),
    eraseCustomField: later(async () => (await import('./tasks/cleanup/eraseCustomField.ts')).eraseCustomField(db)),
    eraseDeleted: later(async () => {
      return (await import('./tasks/cleanup/eraseDeleted.ts')).eraseDeleted(db, storage, retention, log);
    }),
    expireInvitations: later(async () => {
      return (await import('./tasks/expireInvitations.ts')).expireInvitations(db, all, mail, log);
    }),
    followDirectories: later(async () => {
      return (await import('./tasks/accounts/followDirectories.ts')).followDirectories(db, mail, syncMeter, log);
    }),
    warnOfCertificates: later(async () => {
      const { warnOfCertificates } = await import('./tasks/accounts/warnOfCertificates.ts');
      return warnOfCertificates(db, mail, webhooks.settings, log);
    }),
    followInstallations: later(async () => {
      return (await import('./tasks/accounts/followInstallations.ts')).followInstallations(db, mail);
    }),
    recordAccountEntry: later(async () =>
      (await import('./tasks/accounts/recordAccountEntry.ts')).recordAccountEntry(db),
    ),
    recordAuditEntry: later(async () => (await import('./tasks/recordAuditEntry.ts')).recordAuditEntry(db)),
    removeExpired: later(async () => {
      return (await import('./tasks/cleanup/removeExpired.ts')).removeExpired(db, accessTokenLifetimeS, log);
    }),
    removeOldAudit: later(async () =>
      (await import('./tasks/cleanup/removeOldAudit.ts')).removeOldAudit(db, auditKeptDays, log),
    ),
    removeOldEvents: later(async () => (await import('./tasks/cleanup/removeOldEvents.ts')).removeOldEvents(db, log)),
    removeOldExports: later(async () =>
      (await import('./tasks/cleanup/removeOldExports.ts')).removeOldExports(db, storage, log),
    ),
    removeOldImports: later(async () =>
      (await import('./tasks/cleanup/removeOldImports.ts')).removeOldImports(db, storage, log),
    ),
    runExport: runExport(exporter),
    runImports: later(async () => {
      const { runImports } = await import('./tasks/runImports.ts');
      const tools = { db, storage, sheets, quotas, postage: { mail, base_url: baseUrl }, leaseS, tracer, log };
      return runImports(tools, stopping);
    }),
    sendMail: later(async () => (await import('./tasks/sendMail.ts')).sendMail(mail, mailer, baseUrl)),
    sendPasswordReset: later(async () => {
      return (await import('./tasks/accounts/sendPasswordReset.ts')).sendPasswordReset(resets, db, mail, baseUrl);
    }),
    sweepFiles: later(async () => (await import('./tasks/cleanup/sweepFiles.ts')).sweepFiles(db, storage, log)),
    notifyConnectionsRevoked: later(async () =>
      (await import('./tasks/accounts/notifyConnectionsRevoked.ts')).notifyConnectionsRevoked(db),
    ),
    notifyFactorsReset: later(async () =>
      (await import('./tasks/accounts/notifyFactorsReset.ts')).notifyFactorsReset(db, mail),
    ),
    wakeOverdueWebhooks: later(async () => {
      const { wakeOverdueWebhooks } = await import('./tasks/wakeOverdueWebhooks.ts');
      return wakeOverdueWebhooks(db, all, webhooks.timeout_ms + webhooks.graceMs + overdueMs, log);
    }),
  };
}

function later(load: () => Promise<Task>): Task {
  let task: Promise<Task> | undefined;
  return async (payload, helpers) => {
    task ??= load();
    return (await task)(payload, helpers);
  };
}

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
  const session = `collaborator-api-upkeep:${newId()}`;
  const socketTimeout = { ...options.socketTimeout, isUnlimited: true };
  const config = sessionTo(url, { max: 2, application_name: session, idleTimeoutMillis: 0, socketTimeout });
  let upkeep: ReturnType<typeof startUpkeep> | undefined;
  const pool = openPool(config, () => upkeep?.checkNow()); // the next use of the pool gets the error
  const meter = createDeliveryMeter(registry);
  const turns = createTurns({ ...webhooks, db, mail, meter, tracer, log });
  const exporter = createExporter({ db, files: { storage, links }, settings: options.exports, tracer, log });
  const sheets = new SheetReader();
  const stopping = new AbortController();
  const all = { pool, machines: db.machines };
  const watched = observed(
    {
      ...tasks(options, { exporter, sheets, syncMeter: createSyncMeter(registry), all, stopping: stopping.signal }),
      [deliverTask]: deliverWebhook(turns),
    },
    { registry, tracer, log },
  );
  const { [deliverTask]: turn, ...ofQueue } = watched;
  const peers = createPeers();
  const dispatcher = startDispatcher({ url, pool, db, mail, quotas, meter, turns, poll_ms: pollMs, peers, log });
  const ofRunners = { url, socketTimeout, poll_ms: pollMs, peers, log };
  const started = await Promise.allSettled([
    superviseTurns({ ...ofRunners, turns, task: turn as Task, slots: webhooks.slots }),
    superviseRunner({ ...ofRunners, concurrency, tasks: ofQueue, crontab }),
  ]);
  const runners = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stopRunners = () => Promise.all(runners.map((runner) => runner.stop()));
  const failed = started.find((each) => each.status === 'rejected');
  if (failed) {
    await Promise.all([dispatcher.stop(), stopRunners()]);
    throw failed.reason;
  }
  upkeep = startUpkeep({
    pool,
    machines: db.machines,
    every_ms: options.upkeepMs,
    job_lease_s: options.job_lease_s,
    workers: () => runners.flatMap((runner) => runner.workers()),
    freeLostJobs: async (of) => (await Promise.all(runners.map((runner) => runner.freeLostJobs(of)))).flat(),
    peers,
    session,
    log,
  });
  return {
    async stop() {
      stopping.abort();
      turns.stop();
      await Promise.all([dispatcher.stop(), upkeep.stop(), stopRunners()]);
      await Promise.all([exporter.stop(), sheets.close()]);
      await webhooks.transport.close();
      await pool.end();
    },
  };
}
