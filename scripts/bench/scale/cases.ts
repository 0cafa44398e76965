// Operations of the growth table.
import type { OperationCase, Subject } from './subjects.ts';
import { departments, syllables } from './values.ts';

const of = (values: readonly string[], n: number) => values[n % values.length]!;
const id = ({ company }: Subject, n: number) => of(company.ids, n);
const surname = ({ company }: Subject, n: number) => of(company.names, n).split(' ').at(-1)!;
const list = (query: string) => ({ path: `/collaborators${query}` });

export const cases: OperationCase[] = [
  { name: 'get', send: (subject, n) => ({ path: `/collaborators/${id(subject, n)}` }) },
  { name: 'list, first page', send: () => list('') },
  { name: 'list by name', send: () => list('?sort=name') },
  { name: 'list by email, descending', send: () => list('?sort=-email') },
  { name: 'list by department', send: () => list('?sort=department') },
  { name: 'list by position', send: () => list('?sort=position') },
  { name: 'list by status', send: () => list('?sort=status') },
  { name: 'list by hire date', send: () => list('?sort=hire_date') },
  { name: 'list by last change', send: () => list('?sort=-updated_at') },
  { name: 'list by department, then name', send: () => list('?sort=department,name') },
  { name: 'list by name, deep cursor', send: ({ cursor }) => list(`?sort=name&limit=100&cursor=${cursor}`) },
  { name: 'filter, department', send: (_, n) => list(`?department=${of(departments, n).toLowerCase()}&limit=20`) },
  { name: 'filter, location', send: (_, n) => list(`?location=site%20${n % 200}&limit=20`) },
  { name: 'filter, status', send: () => list('?status=pending&limit=20') },
  { name: 'filter, role', send: () => list('?role=manager&limit=20') },
  { name: 'filter, direct reports', send: ({ company }, n) => list(`?manager_id=${of(company.managers, n)}&limit=20`) },
  { name: 'filter, email', send: (_, n) => list(`?email=nobody${n}%40company1.example`) },
  { name: 'filter, external id', send: (_, n) => list(`?external_id=hr-${n}`) },
  { name: 'filter, changed since', send: () => list('?updated_since=2026-11-01T00:00:00Z&sort=updated_at&limit=20') },
  { name: 'search, a surname', send: (subject, n) => list(`?search=${surname(subject, n)}`) },
  {
    name: 'search, a full name',
    send: ({ company }, n) => list(`?search=${encodeURIComponent(of(company.names, n))}`),
  },
  { name: 'search, an address', send: (subject, n) => list(`?search=${surname(subject, n).toLowerCase()}${n}%40comp`) },
  { name: 'search, three letters', send: (_, n) => list(`?search=${of(syllables, n).padEnd(3, 'x')}&limit=20`) },
  { name: 'search, common name', send: () => list('?search=oliveira&limit=20') },
  { name: 'values of a field', send: () => ({ path: '/field-values/department' }) },
  {
    name: 'change',
    send: (subject, n) => ({
      method: 'PATCH',
      path: `/collaborators/${id(subject, n)}`,
      body: { phone: `+351 ${Date.now() % 1e9}${n}` },
    }),
  },
  {
    name: 'change of name',
    send: (subject, n) => ({
      method: 'PATCH',
      path: `/collaborators/${id(subject, n)}`,
      body: { name: `Ana ${of(syllables, n)}${Date.now() % 1e6} ${surname(subject, n + 1)}` },
    }),
  },
  {
    name: 'create',
    status: 201,
    send: (subject, n) => {
      const email = `new${Date.now()}x${n}@company.example`;
      const names = { name: `Rui ${surname(subject, n)}`, email };
      return {
        method: 'POST',
        path: '/collaborators',
        body: { ...names, position: 'Planner', department: 'Operations' },
      };
    },
  },
  { name: 'history', send: (subject, n) => ({ path: `/collaborators/${id(subject, n)}/history` }) },
  { name: 'audit log', send: () => ({ path: '/audit' }) },
  { name: 'events', send: () => ({ path: '/events' }) },
  { name: 'deliveries', send: ({ company }) => ({ path: `/webhooks/${company.webhook_id}/deliveries` }) },
  { name: 'figures of a webhook', send: ({ company }) => ({ path: `/webhooks/${company.webhook_id}/figures` }) },
  { name: 'company', send: () => ({ path: '/company' }) },
];
