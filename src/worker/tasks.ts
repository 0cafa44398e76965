/** The tasks of the queue. Longer ones have a file of their name in `tasks/`. */
import type { Task } from 'graphile-worker';
import type { AccountEntry, LateEntry } from '../platform/audit/account-entries.ts';
import type { AllCompanies } from '../platform/db/across-companies.ts';
import type { TaskName } from '../platform/queue/job-versions.ts';
import type { SheetReader } from '../platform/sheets/reader.ts';
import type { ConfirmAddressJob } from '../product/collaborators/write/confirm-address.ts';
import type { FactorsResetJob } from '../product/companies/reset-factors.ts';
import type { EndedConnections } from '../product/connections/end-connection.ts';
import type { InstallationsJob } from '../product/connections/installation-jobs.ts';
import type { ErasureJob } from '../product/custom-fields/delete-field.ts';
import type { SyncMeter } from '../product/directories/directory-meter.ts';
import type { Exporter } from '../product/exports/exporter.ts';
import type { deliverTask } from '../product/webhooks/subscriptions/wake-webhooks.ts';
import { runExport } from './tasks/runExport.ts';
import type { WorkerOptions } from './worker-options.ts';

/** How far beyond the duration of an attempt a delivery may wait without a job. */
const overdueMs = 15_000;

interface Tools {
  syncMeter: SyncMeter;
  exporter: Exporter;
  sheets: SheetReader;
  all: AllCompanies;
  stopping: AbortSignal;
}

/** Their code is loaded on first use: a worker sends webhooks long before it needs most tasks. */
export function queueTasks(
  options: WorkerOptions,
  { exporter, sheets, syncMeter, all, stopping }: Tools,
): Record<Exclude<TaskName, typeof deliverTask>, Task> {
  const { db, base_url: baseUrl, mail, storage, webhooks, tracer, log } = options;
  return {
    async confirmAddress(payload) {
      const { sendAddressLink } = await import('../product/sign-in-address/sign-in-address.ts');
      await sendAddressLink(db, mail, options.addressLinks, baseUrl, payload as ConfirmAddressJob);
    },
    endEmployments: later(async () => (await import('./tasks/endEmployments.ts')).endEmployments(db, all, log)),
    async eraseCustomField(payload) {
      const { eraseField } = await import('../product/custom-fields/delete-field.ts');
      await eraseField(db, payload as ErasureJob);
    },
    eraseDeleted: later(async () => {
      return (await import('./tasks/cleanup/eraseDeleted.ts')).eraseDeleted(db, storage, options.retention, log);
    }),
    expireInvitations: later(async () => {
      return (await import('./tasks/expireInvitations.ts')).expireInvitations(db, all, mail, log);
    }),
    followDirectories: later(async () => {
      return (await import('./tasks/accounts/followDirectories.ts')).followDirectories(db, mail, syncMeter, log);
    }),
    /** Pauses webhooks of suspended installations, and resumes those of reactivated ones. */
    async followInstallations(payload) {
      const { followInstallation } = await import('../product/webhooks/subscriptions/installation-webhooks.ts');
      const { company_id: companyId, installationIds } = payload as InstallationsJob;
      for (const id of installationIds) await followInstallation({ db, mail }, companyId, id);
    },
    async notifyConnectionsRevoked(payload) {
      const { notifyRevoked } = await import('../product/connections/notify-revoked.ts');
      await notifyRevoked(db, payload as EndedConnections);
    },
    async notifyFactorsReset(payload) {
      const { notifyAdmins } = await import('../product/companies/reset-factors.ts');
      await notifyAdmins(db, mail, payload as FactorsResetJob);
    },
    async recordAccountEntry(payload) {
      const { recordAccountEntry } = await import('../platform/audit/account-entries.ts');
      await recordAccountEntry(db, payload as AccountEntry);
    },
    async recordAuditEntry(payload) {
      const { recordRow } = await import('../platform/audit/account-entries.ts');
      await recordRow(db, payload as LateEntry);
    },
    removeExpired: later(async () => {
      return (await import('./tasks/cleanup/removeExpired.ts')).removeExpired(db, options.accessTokenLifetimeS, log);
    }),
    removeOldAudit: later(async () => {
      return (await import('./tasks/cleanup/removeOldAudit.ts')).removeOldAudit(db, options.auditKeptDays, log);
    }),
    removeOldEvents: later(async () => (await import('./tasks/cleanup/removeOldEvents.ts')).removeOldEvents(db, log)),
    removeOldExports: later(async () => {
      return (await import('./tasks/cleanup/removeOldExports.ts')).removeOldExports(db, storage, log);
    }),
    removeOldImports: later(async () => {
      return (await import('./tasks/cleanup/removeOldImports.ts')).removeOldImports(db, storage, log);
    }),
    async requestInstallationApproval(payload) {
      const { mailAdmins } = await import('../product/connections/installer-departure.ts');
      const postage = { mail, links: options.installationLinks, base_url: baseUrl };
      await mailAdmins(db, postage, payload as InstallationsJob);
    },
    runExport: runExport(exporter),
    async runImports(payload) {
      const { runImports } = await import('../product/imports/run-imports.ts');
      const { quotas, importLeaseS: leaseS } = options;
      const tools = { db, storage, sheets, quotas, postage: { mail, base_url: baseUrl }, leaseS, tracer, log };
      await runImports(tools, (payload as { company_id: string }).company_id, stopping);
    },
    async sendMail(payload) {
      const { renderMail } = await import('../platform/mail/render-mail.ts');
      await options.mailer.send(renderMail(mail.open(payload), baseUrl));
    },
    async sendPasswordReset(payload) {
      const { sendReset } = await import('../identity/passwords/password-resets.ts');
      await sendReset(db, mail, baseUrl, options.resets.open(payload));
    },
    sweepFiles: later(async () => (await import('./tasks/cleanup/sweepFiles.ts')).sweepFiles(db, storage, log)),
    wakeOverdueWebhooks: later(async () => {
      const { wakeOverdueWebhooks } = await import('./tasks/wakeOverdueWebhooks.ts');
      return wakeOverdueWebhooks(db, all, webhooks.timeout_ms + webhooks.graceMs + overdueMs, log);
    }),
    warnOfCertificates: later(async () => {
      const { warnOfCertificates } = await import('./tasks/accounts/warnOfCertificates.ts');
      return warnOfCertificates(db, mail, webhooks.settings, log);
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
