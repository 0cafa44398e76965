/** What of a company needs somebody, beside its webhook endpoints. */
import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, inCompany, type Schemas } from './client.ts';
import { type Import, importsPage } from './imports.ts';

export type Invitation = Schemas['OpenInvitation'];
export type Snooze = Schemas['Snooze'];
export type SnoozeKind = Schemas['SnoozeInput']['kind'];
export type DeliveryHour = Schemas['DeliveryHour'];

const dayMs = 86_400_000;
/** What waits until then is no hurry. */
const soonMs = 3 * dayMs;
/** Who has not looked at it since then will not. */
const recentMs = 7 * dayMs;
const refetchInterval = 60_000;

/** Those that expire soon, and whether there are more than are shown. */
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

/** Of the newest imports those of the last days that wrote nothing, or left rows out. */
export const failedImportsQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'failed-imports'],
    queryFn: async () => {
      const { data } = await importsPage(company, {});
      return data.filter((each, at) => hasFailed(each) && !data.slice(0, at).some((newer) => hasSolved(newer, each)));
    },
    refetchInterval,
  });

/** A file that was only checked has done what the check was for: it can be mended and imported, and nothing is left to do about it. */
function hasFailed({ status, dry_run: dryRun, completed_at: completedAt }: Import): boolean {
  if (!completedAt || Date.parse(completedAt) < Date.now() - recentMs) return false;
  return !dryRun && (status === 'failed' || status === 'completed_with_errors');
}

/** The file was fixed and taken in whole: what was wrong with it before needs nobody any more. */
function hasSolved({ filename, status, dry_run: dryRun }: Import, failed: Import): boolean {
  return status === 'completed' && !dryRun && filename === failed.filename;
}

export const signInSummaryQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'sign-in-summary'],
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

/** What admins put off; until then it is no item of the list. */
export const snoozesQuery = (company: string) =>
  queryOptions({
    queryKey: [company, 'snoozes'],
    queryFn: async () => (await bodyOf(api.GET('/v1/snoozes', { params: { header: inCompany(company) } }))).data,
    refetchInterval,
  });

/** @param days null to show it again */
export const setSnooze = (company: string, kind: SnoozeKind, id: string, days: number | null): Promise<Snooze> =>
  bodyOf(api.PUT('/v1/snoozes', { params: { header: inCompany(company) }, body: { kind, item_id: id, days } }));
