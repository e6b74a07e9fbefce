#!/usr/bin/env bash
# setup.sh CA_FILE: run once, by an administrator.
set -euo pipefail
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
organization=${ORGANIZATION:-demo}
ca=$1

team=$(holdfast write --field=id "api/v2/organizations/$organization/teams" name=deployers)
# An owner of the organization agrees that certificates may act as this team.
echo "Certificates may act as the team: $(holdfast patch --field=allow-certificate-login "api/v2/teams/$team" allow-certificate-login:=true)"
workspace=$(holdfast write --field=id "api/v2/organizations/$organization/workspaces" name=shop-prod)
access=$(holdfast write --field=access api/v2/team-workspaces - <<END
{
  "data": {
    "type": "team-workspaces",
    "attributes": { "access": "write" },
    "relationships": {
      "team": { "data": { "type": "teams", "id": "$team" } },
      "workspace": { "data": { "type": "workspaces", "id": "$workspace" } }
    }
  }
}
END
)
echo "Access of the team: $access"

# Machines named ci-… of this CA log in. Their tokens last ten minutes and work with their certificate only.
holdfast write auth/cert/certs/ci certificate=@"$ca" allowed_common_names='ci-*' token_policies=default \
  token_ttl=10m token_max_ttl=10m token_bind_certificate:=true platform_team="$organization/deployers"
