/**
 * Every Postgres setting that a role, a database, or a URL can change without superuser rights is either set by each connection
 * (session.ts) or listed here with the reason why it doesn't matter. Fails for a Postgres version with new ones.
 */
import { newerSettings, sessionSettings } from '../../../src/platform/connection/session.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Name patterns by the reason why they don't change results. */
const harmless: Record<string, RegExp> = {
  'how a statement is carried out, and how much memory and time it takes':
    /^(enable_|geqo|jit|cpu_|parallel_|min_parallel_|max_parallel_|maintenance_|vacuum_|tcp_|debug_)|_(work_mem|page_cost|io_concurrency|collapse_limit|worktable_factor|combine_limit|cache_size|mem_multiplier|flush_after|wait_limit|tuple_fraction|sleep_time)$|^(work_mem|temp_buffers|constraint_exclusion|force_parallel_mode|plan_cache_mode|synchronize_seqscans|commit_siblings|commit_delay|default_statistics_target|gin_pending_list_limit|wal_skip_threshold|file_copy_method|client_connection_check_interval|stats_fetch_consistency|temp_tablespaces)$/,
  'limits that every connection has from its own settings':
    /^(statement_timeout|lock_timeout|idle_in_transaction_session_timeout)$/,
  'of one transaction, whose defaults are set or are an operator’s to say':
    /^transaction_(deferrable|isolation|read_only)$/,
  'by which operators and providers stop writes': /^default_transaction_read_only$/,
  'how safe a commit is: an operator’s to say, who may have replicas': /^synchronous_commit$/,
  'said by each connection itself': /^(application_name|client_encoding)$/,
  'messages and logs beside the results':
    /^(client_min_messages|escape_string_warning|md5_password_warnings|trace_|log_)/,
  'of words that no statement has: XML, names of time zones, searches of documents, \\ in texts of the old kind':
    /^(xmlbinary|xmloption|timezone_abbreviations|default_text_search_config|backslash_quote)$/,
  'of what is created, by migrations alone':
    /^(check_function_bodies|default_table_access_method|default_tablespace|default_toast_compression|createrole_self_grant|icu_validation_level)$/,
  'of passwords of roles, and of replication, with which the service has nothing to do':
    /^(password_encryption|scram_iterations|wal_sender_timeout|local_preload_libraries)$/,
};

test('every changeable setting is set or listed as harmless', async () => {
  const rows = await database.query<{ name: string }>(
    "select name from pg_settings where context = 'user' and name not like '%.%' order by name",
  );
  expect(rows.length).toBeGreaterThan(120);
  const own = { ...sessionSettings, ...newerSettings };
  const unknown = rows
    .map(({ name }) => name)
    .filter((name) => !(name in own) && !Object.values(harmless).some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);
});

test('no setting is in both lists', () => {
  const both = Object.keys({ ...sessionSettings, ...newerSettings }).filter((name) =>
    Object.values(harmless).some((pattern) => pattern.test(name)),
  );
  expect(both).toEqual([]);
});
