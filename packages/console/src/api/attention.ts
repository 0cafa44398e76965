/** Items that need attention, except for webhook endpoints. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';
import { type Import, importsPage } from './imports.ts';
import type { Webhook } from './webhooks.ts';

export type Invitation = Schemas['OpenInvitation'];
export type Snooze = Schemas['Snooze'];
export type SnoozeKind = Schemas['SnoozeInput']['kind'];
export type DeliveryHour = Schemas['DeliveryHour'];

const dayMs = 86_400_000;
/** Anything that expires later is not urgent. */
const soonMs = 3 * dayMs;
/** Older failures are no longer shown. */
const recentMs = 7 * dayMs;
const refetchInterval = 60_000;

/** Invitations that expire soon, and whether there are more than shown. */
export const expiringQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'invitations', 'expiring'],
    queryFn: async () => {
      const query = { expires_before: new Date(Date.now() + soonMs).toISOString(), limit: 10 };
      const page = await bodyOf(api.GET('/v1/invitations', { params: { header: inCompany(company), query } }));
      return { invitations: page.data, hasMore: page.pagination.hasMore };
    },
    refetchInterval,
  });

/** Recent imports that failed or skipped rows, among the newest ones. */
export const failedImportsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'failed-imports'],
    queryFn: async () => {
      const { data } = await importsPage(company, {});
      return data.filter((each, at) => hasFailed(each) && !data.slice(0, at).some((newer) => wasFixedBy(newer, each)));
    },
    refetchInterval,
  });

/** A dry run with errors is no failure: the user has seen them and can fix the file. */
function hasFailed({ status, dry_run: dryRun, completed_at: completedAt }: Import): boolean {
  if (!completedAt || Date.parse(completedAt) < Date.now() - recentMs) return false;
  return !dryRun && (status === 'failed' || status === 'completed_with_errors');
}

/** The file was fixed and fully imported later. */
function wasFixedBy({ filename, status, dry_run: dryRun }: Import, failed: Import): boolean {
  return status === 'completed' && !dryRun && filename === failed.filename;
}

export const signInSummaryQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'sign-in-connections', 'summary'], // changes with them
    queryFn: () => bodyOf(api.GET('/v1/company/sign-in-summary', { params: { header: inCompany(company) } })),
    staleTime: refetchInterval,
  });

export const deliveryCountsQuery = (company: string, hours: number) =>
  queryOptions({
    queryKey: [company, 'delivery-counts', hours],
    queryFn: () => {
      const params = { header: inCompany(company), query: { hours } };
      return bodyOf(api.GET('/v1/webhooks/delivery-counts', { params }));
    },
    refetchInterval,
  });

/** Active snoozes, which hide their items from the list until they end. */
export const snoozesQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'snoozes'],
    queryFn: async () => (await bodyOf(api.GET('/v1/snoozes', { params: { header: inCompany(company) } }))).data,
    refetchInterval,
  });

/** Deactivated on purpose, or already covered by the app's card. */
const knownReasons = ['manual', 'installation_suspended'];

/** Disabled webhooks, then failing ones. The kinds differ, so a webhook snoozed while failing reappears once it is disabled. */
export function webhooksToFix(webhooks: readonly Webhook[]): { kind: SnoozeKind; webhook: Webhook }[] {
  const disabled = webhooks.filter(
    ({ status, deactivation_reason: reason }) => status === 'deactivated' && !knownReasons.includes(reason ?? ''),
  );
  const failing = webhooks.filter(({ status, consecutive_failures: failures }) => status === 'active' && failures > 0);
  return [
    ...disabled.map((webhook) => ({ kind: 'webhook_disabled' as const, webhook })),
    ...failing.map((webhook) => ({ kind: 'webhook_failing' as const, webhook })),
  ];
}

/** @returns the end of the item's snooze, if it has one */
export function snoozedUntil(snoozes: readonly Snooze[], kind: SnoozeKind, id: string): string | undefined {
  return snoozes.find((each) => each.kind === kind && each.item_id === id)?.until ?? undefined;
}

/** @param days null to show it again */
export const setSnooze = (company: string, kind: SnoozeKind, id: string, days: number | null): Promise<Snooze> =>
  bodyOf(api.POST('/v1/snoozes', { params: { header: inCompany(company) }, body: { kind, item_id: id, days } }));
