#!/bin/sh
# Creates the missing secrets of compose.yaml: SMTP_URL=smtps://user:password@host make-secrets.sh
#
# Containers mount each secret file under a different user, so the files are world-readable, and only the owner can enter the
# folder.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
cd secrets

make() { # name, value
  [ -s "$1" ] && return
  printf %s "$2" > "$1"
  chmod 444 "$1"
  echo "made deploy/compose/secrets/$1"
}

if [ ! -s smtp_url ] && [ -z "${SMTP_URL:-}" ]; then
  echo 'set SMTP_URL: the mail server, as smtps://user:password@host' >&2
  exit 1
fi
make smtp_url "${SMTP_URL:-}"
make postgres_password "$(openssl rand -hex 24)"
make database_password "$(openssl rand -hex 24)"
make database_url "postgres://collaborators:$(cat database_password)@postgres:5432/collaborators"
make encryption_key "$(openssl rand -base64 32)"
