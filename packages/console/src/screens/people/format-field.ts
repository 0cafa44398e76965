import { day, money } from '../../parts/format.ts';

export function formatField(field: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (field === 'salary') return money(Number(value));
  if (field === 'hire_date' || field === 'termination_date') return day(String(value));
  if (typeof value === 'object') return Object.values(value).filter(Boolean).join(' · ') || undefined;
  return String(value);
}
