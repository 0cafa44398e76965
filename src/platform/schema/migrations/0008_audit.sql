-- The audit log: who did what in a company, and from where. Entries are added and read; the application's role may do
-- nothing else to them (src/db/privileges.ts), and removes old ones through the function below.

create table audit_log (
  company_id uuid not null references companies (id),
  -- Version 7: begins with the time of `at`, so the key is the order of the list.
  id uuid not null,
  at timestamptz(3) not null,
  -- The operationId of a request, or a word with a dot or an underscore in it.
  action text not null,
  actor_type text not null check (actor_type in ('user', 'operator', 'link')),
  actor_id uuid,
  client_id text,
  ip inet,
  user_agent text,
  request_id text,
  target_type text,
  target_id text,
  outcome text not null check (outcome in ('succeeded', 'refused')),
  details jsonb,
  primary key (company_id, id),
  check ((actor_type = 'user') = (actor_id is not null)),
  check ((target_type is null) = (target_id is null))
);
create index audit_log_actor on audit_log (company_id, actor_id, id) where actor_id is not null;
create index audit_log_target on audit_log (company_id, target_id, id) where target_id is not null;
create index audit_log_action on audit_log (company_id, action, id);

-- Removes entries of a company that are older than so many days, and never younger than 90, whatever it is asked for. It
-- acts as its owner, which may have taken the right to delete from itself: then it has it for this moment, which nobody
-- else sees, because both changes end with the same transaction.
create function remove_old_audit_entries(of_company uuid, kept_days integer, max_rows integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  removed integer;
  lacks_right boolean := not has_table_privilege('public.audit_log', 'delete');
  cutoff timestamptz;
  first_kept uuid;
begin
  if kept_days is null or kept_days < 90 then
    raise exception 'audit entries are kept for 90 days at least' using errcode = 'check_violation';
  end if;
  cutoff := now() - make_interval(days => kept_days);
  first_kept := rpad(lpad(to_hex(floor(extract(epoch from cutoff) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
  if lacks_right then
    perform pg_advisory_xact_lock(727003);
    execute format('grant delete on public.audit_log to %I', current_user);
  end if;
  delete from public.audit_log
  where company_id = of_company and at < cutoff and id = any(array(
    select old.id from public.audit_log old
    where old.company_id = of_company and old.id < first_kept
    order by old.id limit max_rows
  ));
  get diagnostics removed = row_count;
  if lacks_right then
    execute format('revoke delete on public.audit_log from %I', current_user);
  end if;
  return removed;
end
$$;
revoke execute on function remove_old_audit_entries(uuid, integer, integer) from public;
