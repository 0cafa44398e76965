/** The database errors that clients can retry. */
import { isUnavailable } from '../../src/contract/problem.ts';

const told = (fields: Record<string, string>, message = 'told by the database') =>
  isUnavailable(Object.assign(new Error(message), fields));

test('a cluster node lost in a transaction, which Citus reports as an internal error', () => {
  const lost = { code: 'XX000', file: 'remote_transaction.c', routine: 'MarkRemoteTransactionFailed' };
  expect(told(lost)).toBe(true);
  expect(told({ ...lost, file: 'multi_router_planner.c' })).toBe(false);
});

test('a cluster node lost before its response, or at commit', () => {
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

test('a lost connection, but not an invalid statement', () => {
  expect(told({ code: '08006' })).toBe(true);
  expect(told({ code: '42601' })).toBe(false);
});
