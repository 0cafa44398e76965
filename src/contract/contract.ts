/** The bundled contract, read once. It drives routing, validation, permissions and what is published. */
import { readFileSync } from 'node:fs';

/** `directory`: a few fields of every active person, where the company has a people directory. */
export type RecordScope = 'all' | 'team' | 'self' | 'directory' | 'none';
export type Access = Record<'admin' | 'manager' | 'employee', RecordScope>;
export type FieldAccess = Access & {
  scopes?: string[];
  /** Hidden, of others, from who signed in too long ago, where the company's policy says so. */
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
  /** In a request: what answers show, and the request does not set. */
  readOnly?: boolean;
  /** The operation that sets it. */
  'x-set-by'?: string;
  /** It changes by itself, and what is sent is not looked at. */
  'x-not-compared'?: boolean;
  /** The operation checks the items of this array itself. */
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
  /** When a recent sign-in is asked for, where the company's policy says so. */
  'x-step-up'?: 'always' | 'salary';
  /** How assistants call it. */
  'x-tool'?: {
    name: string;
    effect: 'read' | 'write' | 'destructive';
    description: string;
    parameters: string[];
    body?: string[];
  };
  /** What `{id}` of the path names. */
  'x-resource'?: string;
  /** Deleted collaborators are found too. */
  'x-deleted-records'?: boolean;
  /** A limit of requests beside the general ones. */
  'x-rate-limit'?: 'upload' | 'heavy';
  /** Largest body, where it is not the usual one. */
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
  /** By the name of the event. */
  webhooks: Record<string, { post: EventDescription }>;
  components: { schemas: Record<string, Schema>; [section: string]: unknown };
}

const file = new URL('../../generated/openapi.json', import.meta.url);

export const contract = JSON.parse(readFileSync(file, 'utf8')) as Contract;

/** Every operation with its place, in the order of the document. Path-level parameters are part of each operation. */
export const contractOperations = Object.entries(contract.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method] as Operation | undefined;
    if (!operation) return [];
    const shared = (item.parameters ?? []) as Operation['parameters'];
    const parameters = [...(shared ?? []), ...(operation.parameters ?? [])].map(resolve);
    return [{ path, method, operation: { ...operation, parameters } }];
  }),
);

/** Of a request, the fields that answers show and it does not set: those that must be as they are, and all others. */
export function shownOnly(schema: Schema): { compared: ReadonlySet<string>; notCompared: readonly string[] } {
  const shown = Object.entries(resolve(schema).properties ?? {}).filter(([, { readOnly }]) => readOnly);
  const named = (isCompared: boolean) =>
    shown.filter(([, property]) => !property['x-not-compared'] === isCompared).map(([name]) => name);
  return { compared: new Set(named(true)), notCompared: named(false) };
}

/** What a reference of the contract points to; anything else as it is. */
export function resolve<T extends object>(node: T): T {
  const { $ref } = node as { $ref?: string };
  if (!$ref) return node;
  const parts = $ref.replace(/^#\//, '').split('/');
  const target = parts.reduce((at: unknown, part) => (at as Record<string, unknown>)[part], contract);
  return resolve(target as T);
}
