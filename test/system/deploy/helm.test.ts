/** The Helm chart: its values, its rendered output, and its agreement with deploy/kubernetes. */
import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { type Case, cases, fingerprint, heading, renderedFile } from '../../../scripts/proof/check-helm/chart.ts';
import { refusedValues } from '../../../scripts/proof/check-helm/refused-values.ts';
import { settings } from '../../../src/platform/config/settings.ts';
import { type Document, documentsOf, text } from './files.ts';

const folder = 'deploy/helm/collaborator-api';
type Values = { [name: string]: unknown };

let defaults: Values;
let problemsOf: (values: Values) => string;
let schema: { propertyNames: Record<string, Values>; properties: Record<string, Values> };
beforeAll(async () => {
  [defaults] = (await documentsOf(`${folder}/values.yaml`)) as [Values];
  schema = JSON.parse(await text(`${folder}/values.schema.json`));
  const ajv = new Ajv({ allErrors: true, strictTypes: false });
  const valid = ajv.compile(schema);
  problemsOf = (values) => (valid(values) ? '' : ajv.errorsText(valid.errors));
});

/** Merges values as helm does: objects are merged, everything else is replaced. */
function over(below: unknown, above: unknown): unknown {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(below) || !isObject(above)) return above;
  const merged = { ...below };
  for (const [name, value] of Object.entries(above)) merged[name] = over(below[name], value);
  return merged;
}

async function valuesOf(name: Case): Promise<Values> {
  return over(defaults, (await documentsOf(`${folder}/ci/${name}-values.yaml`))[0]) as Values;
}

test('every value has a schema rule, and every rule a value', () => {
  const pathsOf = (values: Values, rules: Record<string, Values>, path: string): string[] =>
    [...new Set([...Object.keys(values), ...Object.keys(rules)])].flatMap((name) => {
      const [value, rule] = [values[name], rules[name]];
      if (value === undefined || rule === undefined) return [`${path}${name}`];
      const below = rule.properties as Record<string, Values> | undefined;
      return below ? pathsOf(value as Values, below, `${path}${name}.`) : [];
    });
  expect(pathsOf(defaults, schema.properties, '')).toEqual(['global']); // helm's own
});

test('accepts the example values, and rejects mistakes', async () => {
  for (const name of cases) expect([name, problemsOf(await valuesOf(name))]).toEqual([name, '']);
  expect(problemsOf(defaults)).toMatch(/baseUrl/); // is required
  const least = await valuesOf('least');
  const acceptedValues = refusedValues.filter((refused) => {
    const at = refused.indexOf('=');
    return problemsOf(over(least, { [refused.slice(0, at)]: JSON.parse(refused.slice(at + 1)) }) as Values) === '';
  });
  expect(acceptedValues).toEqual([]);
});

test('no secret setting can be set in values, and those mounted exist', async () => {
  const secret = Object.entries(settings.shape).flatMap(([name, { meta }]) =>
    (meta as () => { secret?: boolean } | undefined)()?.secret ? [name] : [],
  );
  expect(secret).toContain('DATABASE_URL');
  const least = await valuesOf('least');
  const accepted = secret
    .flatMap((name) => [name, `${name}_FILE`])
    .filter((name) => problemsOf({ ...least, settings: { [name]: 'x' } }) === '');
  expect(accepted).toEqual([]);
});

test('the committed output was rendered from the current chart', async () => {
  const firstLine = heading(await fingerprint());
  for (const name of cases) {
    const committed = await readFile(renderedFile(name), 'utf8');
    // Update it with RECORD=1 make proof NAME=helm.
    expect(`${committed.slice(0, committed.indexOf('\n'))}\n`).toBe(firstLine);
  }
});

test('the app version is that of package.json and the image tag', async () => {
  const { version } = JSON.parse(await text('package.json'));
  const [{ appVersion } = {}] = (await documentsOf(`${folder}/Chart.yaml`)) as Values[];
  expect(appVersion).toBe(version);
  expect(await readFile(renderedFile('least'), 'utf8')).toContain(
    `image: registry.example/collaborator-api:${version}`,
  );
});

interface Container {
  name: string;
  image: string;
  imagePullPolicy?: string;
  env?: { name: string; value: string }[];
  envFrom?: unknown;
}

interface Pod {
  containers: Container[];
  serviceAccountName?: string;
  topologySpreadConstraints?: { labelSelector: unknown }[];
}

/** A deployment without names of the release, and without what only one side has. */
function essenceOf(deployment: Document) {
  const { template, selector, ...spec } = deployment.spec as {
    template: { spec: Pod };
    selector: unknown;
  };
  const { serviceAccountName, topologySpreadConstraints = [], containers, ...pod } = template.spec;
  const spread = topologySpreadConstraints.map(({ labelSelector, ...constraint }) => constraint);
  const [{ image, imagePullPolicy, envFrom, ...container }] = containers as [Container];
  return { ...spec, pod, spread, container };
}

function byContainer(documents: Document[]) {
  const deployments = documents.filter(({ kind }) => kind === 'Deployment').map(essenceOf);
  return Object.fromEntries(deployments.map((essence) => [essence.container.name, essence]));
}

test('deploy/kubernetes and the chart agree on settings, probes, ports, privileges, resources, and grace periods', async () => {
  const files = ['api', 'worker', 'config', 'ingress', 'network-policies'];
  const plain = (await Promise.all(files.map((file) => documentsOf(`deploy/kubernetes/${file}.yaml`)))).flat();
  const rendered = await documentsOf('test/system/deploy/rendered/least.yaml');
  expect(Object.keys(byContainer(rendered)).sort()).toEqual(['api', 'worker']);
  expect(byContainer(rendered)).toEqual(byContainer(plain));

  const of = (documents: Document[], kind: string) => documents.filter((document) => document.kind === kind);
  expect(of(rendered, 'ConfigMap')[0]!.data).toEqual(of(plain, 'ConfigMap')[0]!.data);
  const withoutTarget = (document: Document) => {
    const { scaleTargetRef, selector, podSelector, rules, ...spec } = document.spec as Values;
    return spec;
  };
  for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy', 'Ingress']) {
    expect(of(rendered, kind).map(withoutTarget)).toEqual(of(plain, kind).map(withoutTarget));
  }
});

test('the Prometheus operator scrapes the pods under the job that the alerts name', async () => {
  const rendered = await documentsOf('test/system/deploy/rendered/most.yaml');
  const monitor = rendered.find(({ kind }) => kind === 'ServiceMonitor')!;
  const service = rendered.find(({ kind, metadata }) => kind === 'Service' && metadata!.name.endsWith('-metrics'))!;
  const { labels } = service.metadata as unknown as { labels: Record<string, string> };
  const { jobLabel } = monitor.spec as { jobLabel?: string };
  const jobs = [...(await text('deploy/prometheus/alerts.yaml')).matchAll(/job="([^"]+)"/g)].map(([, job]) => job);
  expect([...new Set(jobs)]).toEqual([labels[jobLabel!]]);
});

test('the migration job has the settings of the pods, and its command exists', async () => {
  const [job] = (await documentsOf('test/system/deploy/rendered/most.yaml')).filter(({ kind }) => kind === 'Job');
  const rendered = await documentsOf('test/system/deploy/rendered/most.yaml');
  const { data } = rendered.find(({ kind }) => kind === 'ConfigMap')!;
  const { template } = job!.spec as { template: { spec: Pod & { containers: { args: string[] }[] } } };
  const [container] = template.spec.containers;
  expect(Object.fromEntries(container!.env!.map(({ name, value }) => [name, value]))).toEqual(data);
  expect(container!.args).toEqual(['database', 'migrate']);
  expect(await text('src/api/cli/commands/data.ts')).toContain(".command('migrate')");
});
