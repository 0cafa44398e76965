/** The manifests of deploy/kubernetes and those rendered from the chart: valid for the API server, and consistent. */
import { readdir } from 'node:fs/promises';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { cases } from '../../../scripts/proof/check-helm/chart.ts';
import { readConfig, refuseUnsafeSettings } from '../../../src/platform/config/config.ts';
import { type Document, documentsOf, generateSecrets, root, settingNames, text } from './files.ts';

interface Pod {
  containers: {
    name: string;
    args: string[];
    env?: { name: string }[];
    securityContext: Record<string, unknown>;
    ports: { name: string; containerPort: number }[];
  }[];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
}

async function kustomized(): Promise<Document[]> {
  const [{ resources } = { resources: [] }] = (await documentsOf('deploy/kubernetes/kustomization.yaml')) as {
    resources: string[];
  }[];
  const files = await readdir(new URL('deploy/kubernetes/', root));
  expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
  return (await Promise.all(resources.map((name) => documentsOf(`deploy/kubernetes/${name}`)))).flat();
}

const sources: Record<string, () => Promise<Document[]>> = {
  'deploy/kubernetes': kustomized,
  ...Object.fromEntries(
    cases.map((values) => [`chart, ${values}`, () => documentsOf(`test/system/deploy/rendered/${values}.yaml`)]),
  ),
};

describe.each(Object.keys(sources))('%s', (source) => {
  let documents: Document[];
  beforeAll(async () => {
    documents = await sources[source]!();
  });

  const named = (kind: string) => documents.filter((document) => document.kind === kind);
  const podOf = (deployment: Document) =>
    (deployment as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec;

  test('every manifest is valid, without unknown fields', async () => {
    const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, logger: false }));
    const valid = ajv.compile(JSON.parse(await text('test/system/deploy/schemas/kubernetes.json')));
    const validMonitor = ajv.compile(JSON.parse(await text('test/system/deploy/schemas/service-monitor.json')));
    const problems = documents.flatMap((document) => {
      const check = document.kind === 'ServiceMonitor' ? validMonitor : valid;
      const isValid: boolean = check(document);
      return isValid ? [] : [`${document.kind} ${document.metadata?.name}: ${ajv.errorsText(check.errors)}`];
    });
    expect(problems).toEqual([]);
    const broken = structuredClone(named('Deployment')[0]!);
    Object.assign(broken.spec as object, { replica: 2 });
    expect(valid(broken)).toBe(false);
  });

  test('pods run unprivileged on a read-only file system', () => {
    for (const workload of [...named('Deployment'), ...named('Job')]) {
      const pod = podOf(workload);
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test('has only known settings, and no secrets', async () => {
    const known = settingNames();
    const set = [
      ...named('ConfigMap').flatMap(({ data }) => Object.keys(data as object)),
      ...[...named('Deployment'), ...named('Job')].flatMap((workload) =>
        podOf(workload).containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
      ),
    ];
    expect(set.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(set.filter((name) => /(URL|KEYS?|PASSWORD|SECRET)$/.test(name)))).toEqual(new Set(['BASE_URL']));
    expect(named('Secret')).toEqual([]);
  });

  test('label and port selectors match pods', () => {
    const pods = named('Deployment').map((deployment) => {
      const { template } = deployment.spec as { template: { metadata: { labels: Record<string, string> } } };
      return { labels: template.metadata.labels, ports: podOf(deployment).containers.flatMap(({ ports }) => ports) };
    });
    const selectors = documents.flatMap(({ kind, spec }) => {
      const { selector, podSelector } = (spec ?? {}) as Record<string, { matchLabels?: object }>;
      if (kind === 'ServiceMonitor') return []; // it names services
      if (kind === 'Service') return [selector as object];
      return [selector?.matchLabels, podSelector?.matchLabels].filter((labels) => labels !== undefined);
    });
    expect(selectors.length).toBeGreaterThanOrEqual(5);
    for (const selector of selectors) {
      expect(pods.map(({ labels }) => labels)).toContainEqual(expect.objectContaining(selector));
    }
    const service = named('Service').find(({ metadata }) => metadata!.name.endsWith('api'));
    const { ports } = service!.spec as { ports: { targetPort: string }[] };
    const api = pods.find(({ labels }) => labels['app.kubernetes.io/component'] === 'api')!;
    expect(api.ports.map(({ name }) => name)).toEqual(
      expect.arrayContaining(ports.map(({ targetPort }) => targetPort)),
    );
  });

  test('the grace period of a pod covers its shutdown settings', () => {
    const api = podOf(named('Deployment').find((deployment) => podOf(deployment).containers[0]!.name === 'api')!);
    const delay = api.containers[0]!.env?.find(({ name }) => name === 'SHUTDOWN_DELAY_MS') as
      | { value: string }
      | undefined;
    const { SHUTDOWN_TIMEOUT_MS = 30_000 } = named('ConfigMap')[0]!.data as Record<string, string>;
    expect(api.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
      Number(delay!.value) + Number(SHUTDOWN_TIMEOUT_MS),
    );
  });

  test('production accepts the settings, given secrets', () => {
    const { data } = named('ConfigMap')[0] as unknown as { data: Record<string, string> };
    const mounted = new Set(Object.keys(data).filter((name) => name.endsWith('_FILE')));
    const secrets = Object.entries(generateSecrets()).filter(([name]) => mounted.delete(`${name}_FILE`));
    expect([...mounted]).toEqual([]);
    const others = Object.entries(data).filter(([name]) => !name.endsWith('_FILE'));
    expect(refuseUnsafeSettings(readConfig({ ...Object.fromEntries(others), ...Object.fromEntries(secrets) }))).toEqual(
      [],
    );
  });
});
