#!/usr/bin/env bash
# A team that may lock a workspace, and not change it.
set -euo pipefail
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
organization=${ORGANIZATION:-demo}

echo "== A team, a project, and a workspace in it"
team=$(holdfast write --field=id "api/v2/organizations/$organization/teams" name=on-call)
project=$(holdfast write --field=id "api/v2/organizations/$organization/projects" name=edge)
tidy() {
  [ -z "${workspace:-}" ] || holdfast delete "api/v2/workspaces/$workspace"
  holdfast delete "api/v2/projects/$project"
  holdfast delete "api/v2/teams/$team"
}
trap tidy EXIT
workspace=$(holdfast write --field=id "api/v2/organizations/$organization/workspaces" - <<END
{
  "data": {
    "type": "workspaces",
    "attributes": { "name": "edge-eu" },
    "relationships": { "project": { "data": { "type": "projects", "id": "$project" } } }
  }
}
END
)

echo "== Access to every workspace of the project: locks and state, no settings"
granted=$(holdfast write --field=access api/v2/team-projects - <<END
{
  "data": {
    "type": "team-projects",
    "attributes": {
      "access": "custom",
      "workspace-access": { "locking": true, "state-versions": "read", "variables": "read", "runs": "read" }
    },
    "relationships": {
      "team": { "data": { "type": "teams", "id": "$team" } },
      "project": { "data": { "type": "projects", "id": "$project" } }
    }
  }
}
END
)
echo "Access: $granted"

echo "== A token of the team"
token=$(holdfast write --type=authentication-tokens --field=token \
  "api/v2/teams/$team/authentication-tokens" description=example)
as_team() { holdfast "$@" --token "$token"; }

echo "== It sees, locks and unlocks"
echo "It sees: $(as_team read --field=name "api/v2/workspaces/$workspace")"
echo "Locked: $(as_team write --field=locked "api/v2/workspaces/$workspace/actions/lock" reason="disk replaced")"
echo "Locked: $(as_team write -f --field=locked "api/v2/workspaces/$workspace/actions/unlock")"

echo "== It neither changes nor deletes"
if as_team patch "api/v2/workspaces/$workspace" description=mine; then
  echo "It could change it." >&2
  exit 1
fi
if as_team delete "api/v2/workspaces/$workspace"; then
  echo "It could delete it." >&2
  exit 1
fi
