#!/usr/bin/env bash
# Scheduled snapshots in a bucket.
set -euo pipefail
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
: "${S3_ENDPOINT:?the URL of the store}" "${S3_BUCKET:?a bucket that exists}" "${S3_KEY:?}" "${S3_SECRET:?}"
at=sys/storage/raft/snapshot-auto/config/example

echo "== The configuration; its first snapshot is taken at once"
# The secret comes on standard input, so that no list of processes shows it.
printf '%s' "$S3_SECRET" | holdfast write "$at" interval=6h retain=28 storage_type=cloudA-store \
  path_prefix=holdfast cloudA_endpoint="$S3_ENDPOINT" cloudA_force_path_style:=true cloudA_bucket="$S3_BUCKET" \
  cloudA_region="${S3_REGION:-us-east-1}" cloudA_access_key_id="$S3_KEY" cloudA_secret_access_key=- \
  cloudA_disable_tls:="$([[ $S3_ENDPOINT == http:* ]] && echo true || echo false)"
trap 'holdfast delete "$at"' EXIT

echo "== What the keys may do"
holdfast snapshot check example

echo "== A snapshot now, stored and verified"
holdfast snapshot run example

echo "== What is there"
holdfast snapshot list example
