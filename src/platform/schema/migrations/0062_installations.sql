-- An installation: a connection that belongs to one company and not to the person who installed the app, with a role of its own.
alter table oauth_grants
  add column installation_role text check (installation_role in ('admin', 'manager'));

-- What an installation does, it does itself. Its id stands where that of a user stands.
alter table audit_log drop constraint audit_log_actor_type_check;
alter table audit_log drop constraint audit_log_check;
alter table audit_log add constraint audit_log_actor_type_check
  check (actor_type in ('user', 'installation', 'operator', 'link'));
alter table audit_log add constraint audit_log_check
  check ((actor_type in ('user', 'installation')) = (actor_id is not null));
