// Checks the Helm chart with helm, which it installs if Go is available: `make proof NAME=helm`. RECORD=1 updates
// test/system/deploy/rendered for the tests. Exits with 0 only if helm accepts every valid and rejects every invalid input.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { exit } from '../../../src/platform/process/exit.ts';
import {
  cases,
  findHelm,
  fingerprint,
  heading,
  helmFolder,
  helmVersion,
  lint,
  refusal,
  render,
  renderedFile,
} from './chart.ts';
import { refusedValues } from './refused-values.ts';

const helm = (await findHelm()) ?? (await fetchHelm());
console.log(`helm ${helmVersion}`);
let failed = 0;
const check = (label: string, problem: string | undefined) => {
  console.log(`${problem ? 'not ok' : 'ok'}  ${label}${problem ? `: ${problem}` : ''}`);
  if (problem) failed += 1;
};
const firstLine = heading(await fingerprint());
for (const values of cases) {
  check(`lint ${values}`, await problemOf(lint(helm, values)));
  const manifests = firstLine + (await render(helm, values));
  if (process.env.RECORD) await writeFile(renderedFile(values), manifests);
  const previous = await readFile(renderedFile(values), 'utf8').catch(() => '');
  check(
    `template ${values}`,
    previous === manifests ? undefined : 'is not what is kept; RECORD=1 make proof NAME=helm keeps it',
  );
}
for (const value of refusedValues) {
  check(`refuses ${value}`, (await refusal(helm, value)) ? undefined : 'helm takes it');
}
exit(failed > 0 ? 1 : 0);

function problemOf(work: Promise<void>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    ({ stdout, message }: Error & { stdout?: string }) => `${message} ${stdout ?? ''}`,
  );
}

/** As a Go module, which works on machines without a helm package. */
async function fetchHelm(): Promise<string> {
  console.log(`fetching helm ${helmVersion}, which takes some minutes the first time`);
  await mkdir(helmFolder, { recursive: true });
  try {
    execFileSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${helmVersion}`], {
      env: { ...process.env, GOBIN: helmFolder },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  } catch {
    console.error(`helm ${helmVersion} is not installed, and neither is Go to fetch it`);
    exit(1);
  }
  const found = await findHelm();
  if (found) return found;
  console.error(`${helmFolder} has a different version than helm ${helmVersion}`);
  return exit(1);
}
