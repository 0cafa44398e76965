/** The context of a request, for its log line and its response. */
import type { Language } from '../../../contract/languages/language.ts';
import type { OperationRecord } from '../operation-record.ts';

export interface RequestLog {
  request_id: string;
  headers: Record<string, string>;
  record?: OperationRecord | undefined;
  pathParameters?: Record<string, string>;
  company_id?: string;
  user_id?: string;
  client_id?: string;
  /** Whether `user_id` is an installation. */
  is_installation?: boolean;
  directory_id?: string;
  error_code?: string;
  /** The caller's own setting in the company. */
  language?: Language | undefined;
}
