/** The alerts fire when they should, and only then: deploy/prometheus/alerts_test.yaml, run by Prometheus' own tool. */
import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = fileURLToPath(new URL('../../../deploy/prometheus', import.meta.url));

function hasPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// It is no package of npm: a machine that has Prometheus has it.
(hasPromtool() ? test : test.skip)(
  'promtool finds the rules of the alerts as they are meant',
  async () => {
    await promisify(execFile)('promtool', ['test', 'rules', 'alerts_test.yaml'], { cwd: folder });
  },
  60_000,
);
