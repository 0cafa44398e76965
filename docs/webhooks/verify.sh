#!/bin/sh
# Signs and verifies webhook requests with openssl, for testing. The secret is in WEBHOOK_SECRET.
#
#   verify.sh send <url> [<file>]                             sends a signed test request to a receiver
#   verify.sh verify <id> <timestamp> <signatures> <file>     verifies the three header values for a body
set -euf

# sign <id> <timestamp> <file>: prints the signature of the header
sign() {
  key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  digest=$({ printf '%s.%s.' "$1" "$2"; cat "$3"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
  [ ${#digest} -eq 44 ] && printf 'v1,%s' "$digest"
}

# Shell comparisons take longer for longer equal prefixes, so compare hashes with a random key: their timing reveals nothing.
blind() {
  printf %s "$1" | openssl dgst -sha256 -hmac "$nonce"
}

verify() {
  : "${WEBHOOK_SECRET:?}"
  case $2 in '' | 0* | *[!0-9]* | ?????????????*) return 1 ;; esac
  age=$((${NOW:-$(date +%s)} - $2))
  [ "$age" -le 300 ] && [ "$age" -ge -300 ] || return 1
  nonce=$(openssl rand -hex 32) || return 1
  ours=$(sign "$1" "$2" "$4") || return 1
  expected=$(blind "$ours") || return 1
  for signature in $3; do
    if [ "$(blind "$signature")" = "$expected" ]; then return 0; fi
  done
  return 1
}

send() {
  : "${WEBHOOK_SECRET:?}"
  id=test-$(openssl rand -hex 8)
  now=$(date +%s)
  file=${2:-}
  if [ -z "$file" ]; then
    file=$(mktemp)
    trap 'rm -f "$file"' EXIT
    at=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
    printf '{"event":"webhook.test","timestamp":"%s","data":{"event_type":"WebhookTest","timestamp":"%s"}}' \
      "$at" "$at" >"$file"
  fi
  signature=$(sign "$id" "$now" "$file")
  curl -sS -o /dev/null -w '%{http_code}\n' "$1" \
    -H 'Content-Type: application/json' \
    -H 'User-Agent: Service-Webhook/1.0' \
    -H 'X-Webhook-Event: webhook.test' \
    -H "webhook-id: $id" \
    -H "webhook-timestamp: $now" \
    -H "webhook-signature: $signature" \
    --data-binary "@$file"
}

case ${1:-} in
  send) shift && send "$@" ;;
  verify) shift && if verify "$@"; then echo valid; else echo invalid && exit 1; fi ;;
  *) sed -n '2,5s/^# *//p' "$0" && exit 2 ;;
esac
