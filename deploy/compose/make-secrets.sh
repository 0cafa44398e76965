#!/bin/sh
# Makes the secrets of compose.yaml, once: what is there already is kept. SMTP_URL=smtps://user:password@host make-secrets.sh
#
# Containers see each secret as the file it is here, as a user of their own: so the files can be read by everyone, and the
# folder only entered by its owner.
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
