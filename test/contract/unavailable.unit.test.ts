/** Which errors of the database a client is told to come back after. */
import { isUnavailable } from '../../src/contract/problem.ts';

const told = (fields: Record<string, string>) =>
  isUnavailable(Object.assign(new Error('told by the database'), fields));

test('a machine of a cluster that is lost in a transaction, which Citus tells as an internal error', () => {
  const lost = { code: 'XX000', file: 'remote_transaction.c', routine: 'MarkRemoteTransactionFailed' };
  expect(told(lost)).toBe(true);
  expect(told({ ...lost, file: 'multi_router_planner.c' })).toBe(false);
});

test('a connection that is lost is, a statement that is wrong is not', () => {
  expect(told({ code: '08006' })).toBe(true);
  expect(told({ code: '42601' })).toBe(false);
});
