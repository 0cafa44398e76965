/** Types of SCIM operations: context, request, and reply. */
import type { Origin } from '../../platform/audit/entry.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { Quotas } from '../../product/companies/quotas.ts';
import type { Attributes } from '../../product/directories/attributes.ts';
import type { DirectoryMeter } from '../../product/directories/directory-meter.ts';
import type { AuthenticDirectory } from '../../product/directories/rotate-token.ts';

export interface ScimContext {
  tenant: Tenant;
  directory: AuthenticDirectory;
  scim_url: string;
  base_url: string;
  mail: MailQueue;
  quotas: Quotas;
  meter: DirectoryMeter;
  origin: Origin;
}

export interface ScimRequest {
  params: Record<string, string>;
  query: {
    filter?: string;
    startIndex?: string;
    count?: string;
    sortBy?: string;
    sortOrder?: string;
    attributes?: string;
    excludedAttributes?: string;
  };
  body: Attributes;
  /** Entity tags of `If-Match`; undefined if any version matches. */
  ifMatch: readonly string[] | undefined;
}

export interface ScimReply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export type ScimOperation = (request: ScimRequest, context: ScimContext) => Promise<ScimReply>;
