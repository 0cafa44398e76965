/**
 * API responses, as far as commands use them. Written by hand because this package has no generated types; a test in the
 * service's repository compares them with the contract.
 */

export interface CursorPage<T> {
  data: T[];
  pagination: { nextCursor: string | null };
}

interface Progress {
  rows_total: number | null;
  rows_done: number;
  percent: number;
}

export interface ImportJob {
  id: string;
  status: string;
  filename: string;
  dry_run: boolean;
  progress: Progress;
  counts: { created: number; updated: number; failed: number; [kind: string]: number };
  columns: ImportColumn[];
  questions: ImportQuestion[];
  warnings: { code: string; message: string; column: string | null }[];
  error_count: number;
  /** Omitted for readers without access to it. */
  error_report_url?: string | null;
  failure: { reason: string; message: string } | null;
}

export interface ImportColumn {
  column: string;
  header: string;
  field: string | null;
  guessed: boolean;
  /** The custom field suggested for an unmapped column; omitted by older services. */
  suggested_field?: {
    key: string;
    type: string;
    options: { key: string; label: { default: string } }[];
  } | null;
}

export interface ImportUndo {
  status: string;
  removed_count: number;
  kept: { reason: string; count: number }[];
  people: { id: string; name: string; reason: string }[];
}

export interface ImportQuestion {
  id: string;
  message: string;
  choices: { answer: string; label: string; example: string | null }[];
}

export interface ImportError {
  row: number;
  column: string | null;
  field: string | null;
  message: string;
}

export interface ExportJob {
  id: string;
  status: string;
  filename: string;
  progress: Progress;
  row_count: number | null;
  size: number | null;
  omitted: string[];
  /** Omitted for readers with fewer permissions than the export was made with. */
  url?: string | null;
  failure: string | null;
}

export interface ImportTemplate {
  filename: string;
  url: string;
}

export interface StoredDocument {
  name: string;
  url: string;
  size: number;
}

export interface AuditEntry {
  at: string;
  action: string;
  outcome: string;
  actor: { type: string; user_id?: string | null; email?: string | null };
  target: { type: string; id: string } | null;
  ip: string | null;
}

/** A company event, in the same envelope that subscribers receive. */
export interface CompanyEvent {
  id: string;
  event: string;
  timestamp: string;
  data: { event_type: string; timestamp: string; data?: unknown; idempotency_key?: string };
}

export interface EventType {
  name: string;
  sent: boolean;
}

export interface CustomField {
  key: string;
  label: { default: string; en: string | null; pt: string | null; es: string | null };
  type: string;
  options: { key: string; label: CustomField['label']; retired: boolean }[];
  required: boolean;
  unique: boolean;
  sensitive: boolean;
  read: string;
  write: string;
  archived: boolean;
  deletion: { people_total: number; people_done: number } | null;
}
