/** What is known of a request on its way, for its log line and for its answer. */
import type { Language } from '../../contract/languages/language.ts';
import type { OperationRecord } from './operation-record.ts';

export interface Trail {
  request_id: string;
  /** On the answer, whatever that will be. */
  headers: Record<string, string>;
  record?: OperationRecord | undefined;
  pathParameters?: Record<string, string>;
  company_id?: string;
  user_id?: string;
  client_id?: string;
  /** Whether `user_id` is that of an installation. */
  isInstallation?: boolean;
  /** The directory that asks, by SCIM. */
  directory_id?: string;
  error_code?: string;
  /** That the caller has set for themselves in the company. */
  language?: Language | undefined;
}
