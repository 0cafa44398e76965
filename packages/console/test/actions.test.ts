/** Compares the audit log filters with the actions of the contract; each has a label. */
import { readFileSync } from 'node:fs';
import { actions } from '../src/screens/audit/actions.ts';
import { actionNames } from '../src/screens/audit/names.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const contract = read('../../../generated/openapi.json');

const operations = Object.values(contract.paths as Record<string, Record<string, { operationId?: string }>>).flatMap(
  (methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (operationId ? [{ method, operationId }] : [])),
);
const others: string[] = contract.components.schemas.AuditEntry.properties.action['x-extensible-enum'];
const offered: string[] = Object.values(actions).flat();

test('each is offered that changes something, or is no request', () => {
  const changes = operations.filter(({ method }) => method !== 'get').map(({ operationId }) => operationId);
  expect([...changes, ...others].filter((action) => !offered.includes(action))).toEqual([]);
});

test('nothing is offered that the contract does not have', () => {
  const known = [...operations.map(({ operationId }) => operationId), ...others];
  expect(offered.filter((action) => !known.includes(action))).toEqual([]);
});

test('each has its words', () => {
  expect(Object.keys(actionNames()).sort()).toEqual([...offered].sort());
});
