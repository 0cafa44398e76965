#!/bin/sh
# The Postgres image runs this once, on an empty volume: creates a role for the service that owns only its own database.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username postgres \
  --set password="$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database_password}")" <<'SQL'
create role collaborators login password :'password';
create database collaborators owner collaborators;
SQL
