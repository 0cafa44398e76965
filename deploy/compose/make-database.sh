#!/bin/sh
# Run once by the image of Postgres, on an empty volume: a role for the service, which owns its database and nothing else.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username postgres \
  --set password="$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database_password}")" <<'SQL'
create role collaborators login password :'password';
create database collaborators owner collaborators;
SQL
