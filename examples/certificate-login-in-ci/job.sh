#!/usr/bin/env bash
# A job: the machine has ci.pem and ci-key.pem in CERTIFICATES, and no other credential.
set -euo pipefail
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
organization=${ORGANIZATION:-demo}
export HOLDFAST_CLIENT_CERT=$CERTIFICATES/ci.pem HOLDFAST_CLIENT_KEY=$CERTIFICATES/ci-key.pem

HOLDFAST_TOKEN=$(holdfast login --method=cert --token-only name=ci)
export HOLDFAST_TOKEN
trap 'holdfast write -f auth/token/revoke-self' EXIT

workspace=$(holdfast read --field=id "api/v2/organizations/$organization/workspaces/shop-prod")
echo "Locked: $(holdfast write --field=locked "api/v2/workspaces/$workspace/actions/lock" reason="job ${JOB:-1}")"
echo "Here the job would run: tofu apply -auto-approve"
echo "Locked: $(holdfast write -f --field=locked "api/v2/workspaces/$workspace/actions/unlock")"
