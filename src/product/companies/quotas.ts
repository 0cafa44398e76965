/**
 * Quotas of a company, with defaults in the settings. They protect the operator's costs and the shared disk, and aren't exact:
 * each process caches the usage for a while, adds what it admits, and counts again before it rejects, so no request within the
 * quota is rejected.
 *
 * To add one: a name and its count in `quotas`, a default in `platform/config/settings-quotas.ts` and `config.ts`, and `require`
 * where usage grows.
 */
import { sql } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import { type Text, t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { companyCounts } from '../collaborators/write/collaborator-counts.ts';

export const quotas = {
  people: {
    label: t`collaborators`,
    count: async (tenant) => (await companyCounts(tenant)).total,
  },
  storage_bytes: {
    label: t`bytes of files`,
    count: storedBytes,
  },
  open_imports: {
    label: t`imports that have not ended`,
    count: (tenant) => countOf(tenant.selectFrom('imports').select(total).where('due_at', 'is not', null)),
  },
  open_exports: {
    label: t`exports that have not ended`,
    count: (tenant) => countOf(tenant.selectFrom('exports').select(total).where('due_at', 'is not', null)),
  },
  import_errors: {
    label: t`stored errors of imports`,
    count: (tenant) => {
      const sum = sql<number>`coalesce(sum(error_count), 0)::bigint`.as('total');
      return countOf(tenant.selectFrom('imports').select(sum).where('errors_removed_at', 'is', null));
    },
  },
  waiting_deliveries: {
    label: t`waiting deliveries of webhooks`,
    count: (tenant) => countOf(tenant.selectFrom('deliveries').select(total).where('status', '=', 'pending')),
  },
} satisfies Record<string, { label: Text; count(tenant: Tenant): Promise<number> }>;

export type QuotaName = keyof typeof quotas;
type QuotaLimits = Record<QuotaName, number>;

export const quotaNames = Object.keys(quotas) as QuotaName[];

/** Estimate for a stored photo: 512 × 512 pixels of WebP, rarely half as large. */
export const photoQuotaBytes = 65_536;
const freshMs = 30_000;
const maxCached = 10_000;

export interface QuotaUse {
  limit: number;
  used: number;
}

export interface Quotas {
  /** Called before adding `more`. @throws 409 `conflict`, with `details.quota`, if the quota would be exceeded */
  require(tenant: Tenant, name: QuotaName, more: number): Promise<void>;
  /** Called after adding `more`, in the same transaction, if the amount wasn't known before. @throws like `require` */
  requireAfter(tx: Tenant, name: QuotaName, more: number): Promise<void>;
  use(tenant: Tenant, name: QuotaName): Promise<QuotaUse>;
}

export class QuotaExceeded extends Problem {
  override name = 'QuotaExceeded';
}

export function createQuotas(defaults: QuotaLimits, registry?: Registry): Quotas {
  const cache = new Map<string, QuotaUse & { untilMs: number }>();
  const refused = new Counter({
    name: 'quota_refusals_total',
    help: "Requests rejected by a company's quota, by quota.",
    labelNames: ['quota'],
    registers: registry ? [registry] : [],
  });
  const measure = async (tenant: Tenant, name: QuotaName) => {
    const [own, used] = [await ownLimits(tenant), await quotas[name].count(tenant)];
    const found = { limit: own[name] ?? defaults[name], used, untilMs: performance.now() + freshMs };
    if (cache.size >= maxCached) cache.clear();
    cache.set(`${tenant.company_id} ${name}`, found);
    return found;
  };
  const refuse = (name: QuotaName, use: QuotaUse) => {
    refused.inc({ quota: name });
    throw exceeded(name, use);
  };
  return {
    async require(tenant, name, more) {
      const known = cache.get(`${tenant.company_id} ${name}`);
      const isKnown = known && known.untilMs > performance.now() && known.used + more <= known.limit;
      const current = isKnown ? known : await measure(tenant, name);
      if (current.used + more > current.limit) refuse(name, current);
      current.used += more;
    },
    async requireAfter(tx, name, more) {
      const { limit, used } = await measure(tx, name);
      if (more > 0 && used > limit) refuse(name, { limit, used: used - more });
    },
    async use(tenant, name) {
      const { limit, used } = await measure(tenant, name);
      return { limit, used };
    },
  };
}

function exceeded(quota: QuotaName, { limit, used }: QuotaUse): QuotaExceeded {
  const message = t`The company can have ${limit} ${quotas[quota].label}, and has ${used}. Its operator can allow more.`;
  return new QuotaExceeded(409, 'conflict', message, {
    details: { quota, quota_limit: limit, quota_used: used },
  });
}

export async function ownLimits(tenant: Tenant): Promise<Partial<QuotaLimits>> {
  const row = await tenant.global
    .selectFrom('companies')
    .select('quotas')
    .where('id', '=', tenant.company_id)
    .executeTakeFirst();
  return (row?.quotas ?? {}) as Partial<QuotaLimits>;
}

const total = sql<number>`count(*)`.as('total');

async function countOf(query: { executeTakeFirstOrThrow(): Promise<{ total: number }> }): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).total;
}

/** The size of import reports is unknown; they are about as large as the upload. */
async function storedBytes(tenant: Tenant): Promise<number> {
  const sum = (of: string) => sql<number>`coalesce(sum(${sql.raw(of)}), 0)::bigint`.as('total');
  const storedSize = 'size * ((key is not null)::int + (report_key is not null)::int)';
  const parts = [
    await countOf(tenant.selectFrom('documents').select(sum('size')).where('key', 'is not', null)),
    await countOf(tenant.selectFrom('imports').select(sum(storedSize))),
    await countOf(tenant.selectFrom('exports').select(sum('size'))),
    photoQuotaBytes *
      (await countOf(tenant.selectFrom('collaborators').select(total).where('avatar_key', 'is not', null))),
  ];
  return parts.reduce((all, part) => all + part, 0);
}
