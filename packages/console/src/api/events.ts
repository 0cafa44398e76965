/** The company's events, in recorded order. */
import { api, bodyOf, inCompany, type Schemas } from './client/client.ts';

export type CompanyEvent = Schemas['Event'];

export interface EventFilters {
  /** A name, or a namespace such as `collaborator.*`. */
  event?: string;
  since?: string;
  /** From an earlier response: continues after it. */
  position?: string;
}

const pageSize = 100;

/** Starts where the filters say, or at the latest events; then continues from the previous response's position. */
export async function eventPage(company: string, { event, since, position: first }: EventFilters, position = first) {
  const start = position ? { cursor: position } : since ? {} : { start: 'latest' as const };
  const query = { event, since, limit: pageSize, ...start };
  return bodyOf(api.GET('/v1/events', { params: { header: inCompany(company), query } }));
}
