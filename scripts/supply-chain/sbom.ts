/** CycloneDX SBOM: npm's output plus vendored code. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { LockedPackage } from './lockfile.ts';
import type { Vendored } from './policy.ts';

export interface Sbom {
  bomFormat: 'CycloneDX';
  specVersion: string;
  metadata: { component?: { 'bom-ref'?: string; name?: string; type?: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  scope: string;
  purl: string;
  licenses: unknown[];
  hashes?: { alg: string; content: string }[];
  properties: { name: string; value: string }[];
}

/** Sets the product name; npm uses the folder name. */
export function named(sbom: Sbom, name: string): Sbom {
  const component = { ...sbom.metadata.component, name, type: 'application' };
  return { ...sbom, metadata: { ...sbom.metadata, component } };
}

/** Excludes packages that neither service nor console has at runtime; npm does not for dependencies of workspaces. */
export function withDevelopment(sbom: Sbom, packages: readonly LockedPackage[]): Sbom {
  const run = packages.filter(({ dev, in_console: inConsole }) => !dev || inConsole);
  const running = new Set(run.map(({ name, version }) => `${name}@${version}`));
  const components = sbom.components.map((each) => {
    const properties = each.properties.filter(({ name }) => name !== development.name);
    if (running.has(each['bom-ref'])) return { ...each, properties };
    return { ...each, scope: 'excluded', properties: [...properties, development] };
  });
  return { ...sbom, components };
}

export function ofProduction(sbom: Sbom): Sbom {
  const components = sbom.components.filter(({ scope }) => scope !== 'excluded');
  const refs = new Set(components.map((each) => each['bom-ref']));
  const root = sbom.metadata.component?.['bom-ref'];
  const dependencies = sbom.dependencies
    .filter(({ ref }) => ref === root || refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return { ...sbom, components, dependencies };
}

const development = { name: 'cdx:npm:package:development', value: 'true' };

/** @param sbom the output of `npm sbom` */
export function withVendored(sbom: Sbom, vendored: readonly Vendored[]): Sbom {
  const components = vendored.map(({ name, version, license, purl, where, dev }) => ({
    'bom-ref': `vendored:${name}@${version}`,
    type: name.startsWith('@') ? 'library' : 'application',
    name,
    version,
    scope: dev ? 'excluded' : 'required',
    purl,
    licenses: [{ license: { id: license } }],
    properties: [{ name: 'where', value: where }, ...(dev ? [development] : [])],
  }));
  const root = sbom.metadata.component?.['bom-ref'];
  const refs = components.map((each) => each['bom-ref']);
  return {
    ...sbom,
    components: [...sbom.components, ...components],
    dependencies: [
      ...sbom.dependencies.map((each) =>
        each.ref === root ? { ...each, dependsOn: [...(each.dependsOn ?? []), ...refs] } : each,
      ),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

/** Validates it against the CycloneDX schema. @returns findings, one line each */
export function sbomErrors(sbom: Sbom): string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  // Formats that ajv-formats lacks; URLs in an SBOM come from packages anyway.
  ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
  ajv.addSchema(schema('spdx'), 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json');
  ajv.addSchema(schema('jsf-0.82'), 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json');
  const validate = ajv.compile(schema(`bom-${sbom.specVersion}`));
  validate(sbom);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

function schema(name: string): object {
  const path = `../../node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`;
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
