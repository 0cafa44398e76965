/**
 * Versions of jobs. During a rolling update, and after a rollback, older code runs beside jobs queued by newer code. It must not
 * start jobs that it can't run: they would fail until their attempts are used up.
 *
 * So each payload has a version, and a job above version 1 also has a flag for it. Workers don't fetch jobs with flags of
 * versions they don't know, nor jobs of unknown tasks: those wait for newer code.
 *
 * Raise the version of a task, to one above the highest of all tasks, when the current code couldn't run its new jobs: a field
 * with another meaning, another way of encrypting. An optional new field needs no new version.
 */
import { type QueryExecutorProvider, sql } from 'kysely';

/** The version in which this code queues the jobs of each task. It also runs jobs of all earlier versions. */
const versions = {
  requestInstallationApproval: 1,
  confirmAddress: 1,
  deliverWebhook: 1,
  endEmployments: 1,
  eraseCustomField: 1,
  eraseDeleted: 1,
  expireInvitations: 1,
  followDirectories: 1,
  followInstallations: 1,
  recordAccountEntry: 1,
  recordAuditEntry: 1,
  removeExpired: 1,
  removeOldAudit: 1,
  removeOldEvents: 1,
  removeOldExports: 1,
  removeOldImports: 1,
  runExport: 1,
  runImports: 1,
  sendMail: 1,
  sendPasswordReset: 1,
  sweepFiles: 1,
  notifyConnectionsRevoked: 1,
  notifyFactorsReset: 1,
  wakeOverdueWebhooks: 1,
  warnOfCertificates: 1,
} as const;

export type TaskName = keyof typeof versions;

export const taskNames = Object.keys(versions) as TaskName[];

export const newestVersion: number = Math.max(...Object.values(versions));

/** More versions than anybody rolls back at once. */
const maxAhead = 50;

/** Flags of jobs that only newer code can run. */
export const newerFlags: readonly string[] = Array.from({ length: maxAhead }, (_, ahead) =>
  flagOf(newestVersion + 1 + ahead),
);

/** Adds the version to a job's payload. */
export function versioned<T extends object>(task: TaskName, content: T): T & { v: number } {
  return { v: versions[task], ...content };
}

/** For `graphile_worker.add_job(…, flags => …)`. @returns null for version 1, which all code knows */
export function flagsOf(task: TaskName): string[] | null {
  const version: number = versions[task];
  return version > 1 ? [flagOf(version)] : null;
}

export async function queueJob(db: QueryExecutorProvider, task: TaskName, content: object): Promise<void> {
  const payload = JSON.stringify(versioned(task, content));
  await sql`select graphile_worker.add_job(${task}, ${payload}::json, flags => ${flagsOf(task)}::text[])`.execute(db);
}

function flagOf(version: number): string {
  return `v${version}`;
}

/** @throws for a job of a newer version that lacks its flag */
export function requireKnownVersion(payload: unknown): void {
  const { v = 1 } = (payload ?? {}) as { v?: number };
  if (v > newestVersion) throw new Error(`created by a newer version: jobs of version ${v} are unknown`);
}
