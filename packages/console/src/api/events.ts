/** The events of a company, in the order in which they were recorded. */
import { api, bodyOf, inCompany, type Schemas } from './client.ts';

export type CompanyEvent = Schemas['Event'];

/** What of the events is shown, and from where on. */
export interface EventFilters {
  /** A name, or a namespace such as `collaborator.*`. */
  event?: string;
  since?: string;
  /** Of an answer before: what came after it. */
  position?: string;
}

const pageSize = 100;

/** Begins where the filters say, otherwise with the latest; then goes on from the position of the answer before. */
export async function eventPage(company: string, { event, since, position: first }: EventFilters, position = first) {
  const begin = position ? { cursor: position } : since ? {} : { start: 'latest' as const };
  const query = { event, since, limit: pageSize, ...begin };
  return bodyOf(api.GET('/v1/events', { params: { header: inCompany(company), query } }));
}
