/**
 * The Helm chart, as `make proof NAME=helm` and the tests read it. What helm makes of it for some values is kept in
 * test/system/deploy/rendered, with a fingerprint of all that it was made from: so a machine without helm notices a change
 * that nobody rendered, and checks what was.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const tools = process.env.TOOLS_CACHE || join(project, '.data/tools');
/** The newest of the line that clusters use today; another one may write the same otherwise. */
export const helmVersion = 'v3.22.0';
const chart = join(project, 'deploy/helm/collaborator-api');
const rendered = join(project, 'test/system/deploy/rendered');
/** Of the cluster that is rendered for: one that Go installed knows none. The schemas of the tests are of the same. */
const kubeVersion = '1.34.1';
/** Where `make proof NAME=helm` puts helm. */
export const helmFolder = join(tools, `helm-${helmVersion}`);

/** Values that are tried, by the names of their files in the chart's folder `ci`. */
export const cases = ['least', 'most', 'bare'] as const;
export type Case = (typeof cases)[number];

/** @returns the command of helm in the version that is asked for here; undefined when there is none on this machine */
export async function findHelm(): Promise<string | undefined> {
  for (const command of [join(helmFolder, 'helm'), 'helm']) {
    const version = await run(command, ['version', '--template', '{{.Version}}']).catch(() => '');
    // One that Go installed does not know the last of its three numbers.
    if (version && `${helmVersion}.`.startsWith(`${minorOf(version.trim())}.`)) return command;
  }
  return undefined;
}

/** @returns what would be applied to the cluster, hooks included */
export function render(helm: string, values: Case, release = 'people'): Promise<string> {
  return run(helm, ['template', release, chart, ...inCluster, '--values', valuesOf(values)]);
}

/** @throws what helm says against it */
export async function lint(helm: string, values: Case): Promise<void> {
  await run(helm, ['lint', '--strict', chart, '--values', valuesOf(values)]);
}

/** @returns what the schema has against a value, as `--set-json` takes it; undefined when helm takes it, or fails otherwise */
export async function refusal(helm: string, value: string): Promise<string | undefined> {
  const command = ['template', 'people', chart, ...inCluster, '--values', valuesOf('least'), '--set-json', value];
  return run(helm, command).then(
    () => undefined,
    ({ message }: Error) => /don't meet the specifications of the schema[\s\S]*/.exec(message)?.[0],
  );
}

/** Of every file that a rendering is made from. Line ends count as one, whatever git makes of them. */
export async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(helmVersion);
  const entries = await readdir(chart, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) {
    hash.update(`\n${file.slice(chart.length)}\n`).update((await readFile(file, 'utf8')).replaceAll('\r\n', '\n'));
  }
  return hash.digest('hex');
}

export const renderedFile = (values: Case) => join(rendered, `${values}.yaml`);

/** The first line of what is kept. */
export const heading = (print: string) =>
  `# Made by RECORD=1 make proof NAME=helm (helm ${helmVersion}) from ${print}\n`;

const inCluster = ['--namespace', 'people', '--kube-version', kubeVersion];

const minorOf = (version: string) => version.split('.').slice(0, 2).join('.');

const valuesOf = (values: Case) => join(chart, 'ci', `${values}-values.yaml`);

async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
