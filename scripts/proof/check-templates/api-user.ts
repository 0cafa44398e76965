/** An admin who downloads templates and imports files. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../../generated/api.ts';
import type { Column } from './people.ts';

type ImportJob = components['schemas']['ImportJob'];

const timeoutMs = 60_000;

export class ApiUser {
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;

  private constructor(baseUrl: string, headers: Record<string, string>) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  /** @returns the user in their first company */
  static async of(baseUrl: string, accessToken: string): Promise<ApiUser> {
    const headers = { authorization: `Bearer ${accessToken}` };
    const user = await new ApiUser(baseUrl, headers).#request('GET', '/auth/user');
    const { companies } = user as { companies: { id: string }[] };
    return new ApiUser(baseUrl, { ...headers, 'x-company-id': companies[0]!.id });
  }

  async template(language: string): Promise<{ columns: Column[]; bytes: Buffer }> {
    const response = await this.#request('GET', `/v1/collaborators/import-template?language=${language}`);
    const { columns, url } = response as components['schemas']['ImportTemplate'];
    const file = await fetch(url);
    return { columns, bytes: Buffer.from(await file.arrayBuffer()) };
  }

  /**
   * @param count expected number of people
   * @returns the id of the dry run
   * @throws when it has errors, or finds other people
   */
  async importDry(file: Buffer, filename: string, count: number): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(file)]), filename);
    form.append('dry_run', 'true');
    const { id } = (await this.#request('POST', '/v1/collaborators/import', form)) as ImportJob;
    const job = await this.#waitForJob(id);
    if (job.status === 'completed' && job.counts.created === count) return id;
    const errors = await this.#request('GET', `/v1/imports/${id}/errors`);
    const summary = JSON.stringify({ status: job.status, counts: job.counts, failure: job.failure, errors });
    throw new Error(`${filename}: the dry run says ${summary.slice(0, 2_000)}`);
  }

  async commit(id: string): Promise<void> {
    await this.#request('POST', `/v1/imports/${id}/commit`);
    const job = await this.#waitForJob(id);
    if (job.status !== 'completed') throw new Error(`the import ended with ${JSON.stringify(job).slice(0, 1_000)}`);
  }

  async people(emails: readonly string[]): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (const email of emails) {
      const path = `/v1/collaborators?expand=manager&email=${encodeURIComponent(email)}`;
      found.push(...((await this.#request('GET', path)) as { data: Record<string, unknown>[] }).data);
    }
    return found;
  }

  async #waitForJob(id: string): Promise<ImportJob> {
    for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(100)) {
      const job = (await this.#request('GET', `/v1/imports/${id}`)) as ImportJob;
      if (!/^(queued|validating|processing)$/.test(job.status)) return job;
    }
    throw new Error(`the import ${id} did not end within ${timeoutMs / 1000} s`);
  }

  async #request(method: string, path: string, form?: FormData): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}${path}`, { method, headers: this.#headers, body: form ?? null });
    if (response.ok) return response.json();
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after')) * 1000);
      return this.#request(method, path, form);
    }
    throw new Error(`${method} ${path} returned ${response.status}: ${(await response.text()).slice(0, 1_000)}`);
  }
}
