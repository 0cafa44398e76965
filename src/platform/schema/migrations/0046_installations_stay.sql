-- An installation outlives the account of who installed it: their id stays, as it does in the audit log.
alter table oauth_grants drop constraint oauth_grants_user_id_fkey;
