/** The database errors that clients can retry. */
import { isUnavailable } from '../../src/contract/problem.ts';

const detects = (fields: Record<string, string>, message = 'from the database') =>
  isUnavailable(Object.assign(new Error(message), fields));

test('a cluster node lost in a transaction, which Citus reports as an internal error', () => {
  const lostNode = { code: 'XX000', file: 'remote_transaction.c', routine: 'MarkRemoteTransactionFailed' };
  expect(detects(lostNode)).toBe(true);
  expect(detects({ ...lostNode, file: 'multi_router_planner.c' })).toBe(false);
});

test('a cluster node lost before its response, or at commit', () => {
  const remoteError = { code: 'XX000', file: 'remote_commands.c', routine: 'ReportResultError' };
  expect(detects(remoteError, 'server closed the connection unexpectedly')).toBe(true);
  expect(detects(remoteError, 'duplicate key value violates unique constraint "collaborators_email_key_102044"')).toBe(
    false,
  );
  const committed = {
    code: 'XX000',
    file: 'placement_connection.c',
    routine: 'ErrorIfPostCommitFailedShardPlacements',
  };
  expect(detects(committed, 'could not commit transaction for shard 102022 on at least one active node')).toBe(true);
});

test('a lost connection, but not an invalid statement', () => {
  expect(detects({ code: '08006' })).toBe(true);
  expect(detects({ code: '42601' })).toBe(false);
});
