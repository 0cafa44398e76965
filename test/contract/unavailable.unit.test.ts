/** Which errors of the database a client is told to come back after. */
import { isUnavailable } from '../../src/contract/problem.ts';

const told = (fields: Record<string, string>, message = 'told by the database') =>
  isUnavailable(Object.assign(new Error(message), fields));

test('a machine of a cluster that is lost in a transaction, which Citus tells as an internal error', () => {
  const lost = { code: 'XX000', file: 'remote_transaction.c', routine: 'MarkRemoteTransactionFailed' };
  expect(told(lost)).toBe(true);
  expect(told({ ...lost, file: 'multi_router_planner.c' })).toBe(false);
});

test('one that is lost before its answer, or at the commit', () => {
  const asked = { code: 'XX000', file: 'remote_commands.c', routine: 'ReportResultError' };
  expect(told(asked, 'server closed the connection unexpectedly')).toBe(true);
  expect(told(asked, 'duplicate key value violates unique constraint "collaborators_email_key_102044"')).toBe(false);
  const committed = {
    code: 'XX000',
    file: 'placement_connection.c',
    routine: 'ErrorIfPostCommitFailedShardPlacements',
  };
  expect(told(committed, 'could not commit transaction for shard 102022 on at least one active node')).toBe(true);
});

test('a connection that is lost is, a statement that is wrong is not', () => {
  expect(told({ code: '08006' })).toBe(true);
  expect(told({ code: '42601' })).toBe(false);
});
