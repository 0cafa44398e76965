/**
 * Access to the Helm chart for `make proof NAME=helm` and the tests. test/system/deploy/rendered has the rendered chart for some
 * values, with a fingerprint of its inputs: so a machine without helm can detect an outdated rendering, and test the current one.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const tools = process.env.TOOLS_CACHE || join(project, '.data/tools');
/** A current helm version; others may render differently. */
export const helmVersion = 'v3.22.0';
const chart = join(project, 'deploy/helm/collaborator-api');
const rendered = join(project, 'test/system/deploy/rendered');
/** Kubernetes version to render for, the same as of the tests' schemas; helm installed with Go has no default. */
const kubeVersion = '1.34.1';
/** Where `make proof NAME=helm` installs helm. */
export const helmFolder = join(tools, `helm-${helmVersion}`);

/** Values files in the chart's `ci` folder. */
export const cases = ['least', 'most', 'bare'] as const;
export type Case = (typeof cases)[number];

/** @returns the helm command of the right version; undefined if it is not installed */
export async function findHelm(): Promise<string | undefined> {
  for (const command of [join(helmFolder, 'helm'), 'helm']) {
    const version = await run(command, ['version', '--template', '{{.Version}}']).catch(() => '');
    // Helm installed with Go does not know its patch version.
    if (version && `${helmVersion}.`.startsWith(`${minorOf(version.trim())}.`)) return command;
  }
  return undefined;
}

/** @returns the rendered manifests, including hooks */
export function render(helm: string, values: Case): Promise<string> {
  return run(helm, ['template', 'people', chart, ...inCluster, '--values', valuesOf(values)]);
}

/** @throws the lint errors */
export async function lint(helm: string, values: Case): Promise<void> {
  await run(helm, ['lint', '--strict', chart, '--values', valuesOf(values)]);
}

/** @returns the schema error for a value in `--set-json` syntax; undefined if helm accepts it, or fails for another reason */
export async function refusal(helm: string, value: string): Promise<string | undefined> {
  const command = ['template', 'people', chart, ...inCluster, '--values', valuesOf('least'), '--set-json', value];
  return run(helm, command).then(
    () => undefined,
    ({ message }: Error) => /don't meet the specifications of the schema[\s\S]*/.exec(message)?.[0],
  );
}

/** Hash of every input of a rendering, independent of line endings. */
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

export const heading = (print: string) =>
  `# Made by RECORD=1 make proof NAME=helm (helm ${helmVersion}) from ${print}\n`;

const inCluster = ['--namespace', 'people', '--kube-version', kubeVersion];

const minorOf = (version: string) => version.split('.').slice(0, 2).join('.');

const valuesOf = (values: Case) => join(chart, 'ci', `${values}-values.yaml`);

async function run(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
