/** The bundled contract, loaded once. It drives routing, validation, permissions, and documentation. */
import { readFileSync } from 'node:fs';

/** `directory`: a few fields of every active person, where the company has a people directory. */
export type RecordScope = 'all' | 'team' | 'self' | 'directory' | 'none';
export type Access = Record<'admin' | 'manager' | 'employee', RecordScope>;
export type FieldAccess = Access & {
  scopes?: string[];
  /** Whether other people's values are hidden if the sign-in is too old for the company's policy. */
  step_up?: boolean;
};

export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  'x-read-access'?: FieldAccess;
  'x-write-access'?: FieldAccess;
  /** By value of an enum. */
  'x-value-access'?: Record<string, Access>;
  /** In requests: a property that responses include but requests can't set. */
  readOnly?: boolean;
  /** The operation that sets it. */
  'x-set-by'?: string;
  /** A property that changes on its own, so its value in a request is ignored. */
  'x-not-compared'?: boolean;
  /** The operation validates the items of this array itself. */
  'x-checked-apart'?: boolean;
  [keyword: string]: unknown;
}

export interface Operation {
  operationId: string;
  tags: string[];
  parameters?: { $ref?: string; name?: string; in?: string; style?: string; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
  security: { oauth2: string[] }[];
  'x-access'?: Access;
  /** When a recent sign-in is required, if the company's policy has that. */
  'x-step-up'?: 'always' | 'salary';
  /** The tool for assistants. */
  'x-tool'?: {
    name: string;
    effect: 'read' | 'write' | 'destructive';
    description: string;
    parameters: string[];
    body?: string[];
  };
  /** The resource that `{id}` in the path refers to. */
  'x-resource'?: string;
  /** Also finds deleted collaborators. */
  'x-deleted-records'?: boolean;
  /** A rate limit in addition to the general ones. */
  'x-rate-limit'?: 'upload' | 'heavy';
  /** Overrides the default body limit. */
  'x-max-body-bytes'?: number;
}

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

export type Method = (typeof methods)[number];

interface EventDescription {
  description: string;
  requestBody: { content: { 'application/json': { examples: Record<string, object> } } };
}

interface Contract {
  openapi: string;
  info: { version: string; title: string; 'x-webhook-payload-version': string };
  paths: Record<string, Record<string, unknown>>;
  /** By event name. */
  webhooks: Record<string, { post: EventDescription }>;
  components: { schemas: Record<string, Schema>; [section: string]: unknown };
}

const file = new URL('../../generated/openapi.json', import.meta.url);

export const contract = JSON.parse(readFileSync(file, 'utf8')) as Contract;

/** All operations with path and method, in document order. Path-level parameters are merged into each operation. */
export const contractOperations = Object.entries(contract.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method] as Operation | undefined;
    if (!operation) return [];
    const shared = (item.parameters ?? []) as Operation['parameters'];
    const parameters = [...(shared ?? []), ...(operation.parameters ?? [])].map(resolve);
    return [{ path, method, operation: { ...operation, parameters } }];
  }),
);

/** The read-only fields of a request body: those that must be unchanged, and those that are ignored. */
export function readOnlyFields(schema: Schema): { compared: ReadonlySet<string>; notCompared: readonly string[] } {
  const readOnlyProperties = Object.entries(resolve(schema).properties ?? {}).filter(([, { readOnly }]) => readOnly);
  const named = (isCompared: boolean) =>
    readOnlyProperties.filter(([, property]) => !property['x-not-compared'] === isCompared).map(([name]) => name);
  return { compared: new Set(named(true)), notCompared: named(false) };
}

/** Resolves a reference; returns anything else unchanged. */
export function resolve<T extends object>(node: T): T {
  const { $ref } = node as { $ref?: string };
  if (!$ref) return node;
  const parts = $ref.replace(/^#\//, '').split('/');
  const target = parts.reduce((at: unknown, part) => (at as Record<string, unknown>)[part], contract);
  return resolve(target as T);
}
