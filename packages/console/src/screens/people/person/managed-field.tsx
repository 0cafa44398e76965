import type { ReactNode } from 'react';
import type { Person } from '../../../api/people.ts';
import { t } from '../../../parts/translate.ts';

interface ManagedFieldProps {
  label: string;
  value: ReactNode;
  by: NonNullable<Person['managed_by']>;
}

/** A field that only the company's directory changes: read-only in forms. */
export function ManagedField({ label, value, by }: ManagedFieldProps) {
  return (
    <div className="field">
      <span>{label}</span>
      <span>{value ?? <span className="quiet">–</span>}</span>
      <span className="hint">{t`Managed by ${by.directory_name}`}</span>
    </div>
  );
}

/** @returns the directory that manages this field, named as in the API; undefined if none does */
export function directoryOf({ managed_by: by }: Person, field: string): Person['managed_by'] | undefined {
  return by?.fields.includes(field) ? by : undefined;
}
