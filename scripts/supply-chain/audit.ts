// Checks our packages for known vulnerabilities at the registry. An unreachable registry fails the check only with --required.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Allowance, AuditUnavailable, advisoriesOf, evaluateAudit } from './evaluate-audit.ts';

const maxMs = 120_000;
const { values } = parseArgs({
  options: {
    /** Folder with package.json and package-lock.json. */
    folder: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    allowed: {
      type: 'string',
      default: fileURLToPath(new URL('./audit-allowed.json', import.meta.url)),
    },
    required: { type: 'boolean', default: false },
  },
});

try {
  const advisories = advisoriesOf(await report(values.folder));
  const allowed: Allowance[] = JSON.parse(await readFile(values.allowed, 'utf8'));
  const findings = evaluateAudit(advisories, allowed, new Date().toISOString().slice(0, 10));
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
  else console.log(`No known vulnerabilities in packages, except ${allowed.length} allowed for now.`);
} catch (error) {
  if (!(error instanceof AuditUnavailable)) throw error;
  console.error(`Packages were not checked for known vulnerabilities: ${error.message.split('\n')[0]}`);
  process.exitCode = values.required ? 1 : 0;
}

/** npm exits with 1 both for findings and for an unreachable registry; only its output tells them apart. */
function report(cwd: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const args = ['audit', '--json', '--package-lock-only'];
    execFile('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024, timeout: maxMs }, (error, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(new AuditUnavailable(error?.message ?? 'npm audit printed no JSON'));
      }
    });
  });
}
