/**
 * Versions of jobs. While processes are replaced, and when a version is gone back, older code runs beside jobs that newer code
 * has queued. What it could not do it must not begin: it would fail, again and again, until the job is given up.
 *
 * So each payload says its version, and a job of a version above the first says it by a flag as well. Workers ask the queue
 * for no job with a flag of a version that they do not know: such a job waits, untouched, for newer code. Jobs of tasks that
 * they do not know at all wait in the same way.
 *
 * Raise the version of a task, to one above the newest of all, when code as it is now could not do its jobs as they will be:
 * another meaning of a field, another way of sealing. A field that may be missing needs no new version.
 */

/** Every task, with the version of the jobs that this code queues. It does those of all versions before as well. */
const versions = {
  askForInstallations: 1,
  confirmAddress: 1,
  deliverWebhook: 1,
  endEmployments: 1,
  eraseDeleted: 1,
  expireInvitations: 1,
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
  tellConnectionsEnded: 1,
  tellFactorsTaken: 1,
  wakeOverdueWebhooks: 1,
} as const;

export type TaskName = keyof typeof versions;

export const taskNames = Object.keys(versions) as TaskName[];

/** The newest version that this code knows. */
export const newestVersion: number = Math.max(...Object.values(versions));

/** More versions than anybody goes back at once. */
const mostAhead = 50;

/** Flags of the jobs that only newer code can do. */
export const newerFlags: readonly string[] = Array.from({ length: mostAhead }, (_, ahead) =>
  flagOf(newestVersion + 1 + ahead),
);

/** What a job carries, with its version. */
export function versioned<T extends object>(task: TaskName, content: T): T & { v: number } {
  return { v: versions[task], ...content };
}

/** For `graphile_worker.add_job(…, flags => …)`. @returns null for the first version, which all code knows */
export function flagsOf(task: TaskName): string[] | null {
  const version: number = versions[task];
  return version > 1 ? [flagOf(version)] : null;
}

function flagOf(version: number): string {
  return `v${version}`;
}

/** @throws for a job that came without its flag, and that only newer code can do */
export function requireKnownVersion(payload: unknown): void {
  const { v = 1 } = (payload ?? {}) as { v?: number };
  if (v > newestVersion) throw new Error(`made by a newer version: jobs of version ${v} are not known here`);
}
