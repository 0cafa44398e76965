/**
 * Pages that are asked for again and again, as by every open window that shows the team, are found once for each state of
 * their company. `changes` tells the state: it is read for every answer, so none is older than the request for it.
 */
import { hash } from 'node:crypto';
import type { Viewer } from '../../identity/members/member.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { companyCounts } from './collaborator-counts.ts';

/**
 * A page is found anew now and then: links in it end, somebody may change rows by hand, and a database that was set back, by
 * a failover that lost its last commits, counts to the same number again.
 */
const longest_s = 60;
const max_pages = 10_000;

export interface PageMemory {
  /**
   * @param query what is asked; who asks, and what they may see, is added to it
   * @param find reads nothing but the company's collaborators
   * @returns what `find` finds now, or what it found when nobody had changed since; as JSON too, where that is remembered
   */
  page<B extends object>(viewer: PageViewer, query: object, find: () => Promise<B>): Promise<FoundPage<B>>;
}

export interface FoundPage<B> {
  body: B;
  text?: string;
}

type PageViewer = Omit<Viewer, 'tenant'> & { tenant: Tenant };

interface Page extends Required<FoundPage<object>> {
  changes: number;
  found_ms: number;
}

/** @param max_bytes of all pages, as JSON; 0 remembers none */
export function createPageMemory(max_bytes: number): PageMemory {
  /** The oldest first. Without a page: asked for once, which is no reason to remember it yet. */
  const known = new Map<string, Page | undefined>();
  let bytes = 0;

  function keep(key: string, page: Page | undefined): void {
    drop(key);
    known.set(key, page);
    bytes += page?.text.length ?? 0;
    for (const oldest of known.keys()) {
      if (bytes <= max_bytes && known.size <= max_pages) return;
      drop(oldest);
    }
  }

  function drop(key: string): void {
    bytes -= known.get(key)?.text.length ?? 0;
    known.delete(key);
  }

  return {
    async page<B extends object>({ tenant, member, caller }: PageViewer, query: object, find: () => Promise<B>) {
      if (max_bytes === 0) return { body: await find() };
      // A query may be long, and what is known of it must not be.
      const key = hash('sha256', JSON.stringify([tenant.company_id, member, caller.scopes, query]), 'base64url');
      if (!known.has(key)) {
        keep(key, undefined);
        return { body: await find() };
      }
      // Before the page is found: what changes in between makes it look older than it is, and it is found again.
      const { changes } = await companyCounts(tenant);
      const page = known.get(key);
      const now_ms = performance.now();
      if (page && page.changes === changes && now_ms - page.found_ms < longest_s * 1_000) {
        return { body: page.body as B, text: page.text };
      }
      const body = await find();
      const text = JSON.stringify(body);
      keep(key, { changes, found_ms: now_ms, body, text });
      return { body, text };
    },
  };
}
