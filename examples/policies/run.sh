#!/usr/bin/env bash
# An auditor reads policies and may change none.
set -euo pipefail
here=$(dirname "$0")
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }

echo "== The policy"
holdfast write sys/policies/acl/auditor policy=@"$here/auditor.hcl"
trap 'holdfast delete sys/policies/acl/auditor' EXIT

echo "== A token with it, for an hour"
token=$(holdfast write --field=token auth/token/create policies=auditor ttl=1h)

echo "== What it may do"
holdfast write --token "$token" sys/capabilities-self paths:='["sys/policies/acl/auditor", "sys/policies/acl/admin-all", "sys/mounts"]'

echo "== It reads a policy"
echo "It read: $(holdfast read --token "$token" --field=name sys/policies/acl/auditor)"

echo "== It may not change one"
if holdfast write --token "$token" sys/policies/acl/auditor policy='path "*" { capabilities = ["sudo"] }'; then
  echo "It could." >&2
  exit 1
fi
holdfast write -f --token "$token" auth/token/revoke-self
