#!/usr/bin/env bash
# State of a configuration, its versions and a rollback.
set -euo pipefail
here=$(dirname "$0")
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
tool=$(type -P tofu || type -P terraform) || { echo "This example needs tofu or terraform." >&2; exit 1; }
organization=${ORGANIZATION:-demo}

# In the folder of a dev server everything is known; elsewhere it comes from the environment.
fact() { node -p "JSON.parse(fs.readFileSync('data/dev.json'))['$1'] ?? ''"; }
address=${HOLDFAST_ADDR:-$(fact address)}
host=${address#https://}
host=${host/127.0.0.1/localhost}
export SSL_CERT_FILE=${HOLDFAST_CACERT:-$(fact ca_cert)}
export TF_CLOUD_HOSTNAME=$host TF_CLOUD_ORGANIZATION=$organization TF_IN_AUTOMATION=1

place=$(mktemp -d)
cp "$here/main.tf" "$place"
printf 'credentials "%s" {\n  token = "%s"\n}\n' "$host" "${USER_TOKEN:-$(fact user_token)}" >"$place/cli.tfrc"
export TF_CLI_CONFIG_FILE=$place/cli.tfrc
trap 'holdfast delete "api/v2/organizations/$organization/workspaces/example-state"; rm -r "$place"' EXIT

echo "== The first state"
"$tool" -chdir="$place" init -input=false -no-color >"$place/init.log" || { cat "$place/init.log" >&2; exit 1; }
# Plans run here; without this, a new workspace would wait for a server that runs them.
workspace=$(holdfast read --field=id "api/v2/organizations/$organization/workspaces/example-state")
echo "Plans run: $(holdfast patch --field=execution-mode "api/v2/workspaces/$workspace" execution-mode=local)"
"$tool" -chdir="$place" apply -auto-approve -input=false -no-color | tail -3

echo "== The second"
"$tool" -chdir="$place" apply -auto-approve -input=false -no-color -var size=large | tail -3

echo "== Its versions, the newest first"
versions="api/v2/state-versions?filter[organization][name]=$organization&filter[workspace][name]=example-state"
holdfast read --json "$versions" | grep '"serial"'

echo "== Back to the first"
first=$(holdfast read --json "$versions" | sed -n 's/.*"id": "\(sv-[A-Za-z0-9]*\)".*/\1/p' | tail -1)
echo "Locked: $(holdfast write --field=locked "api/v2/workspaces/$workspace/actions/lock" reason=rollback)"
rollback=$(holdfast patch --field=status "api/v2/workspaces/$workspace/state-versions" - <<END
{
  "data": {
    "type": "state-versions",
    "relationships": { "rollback-state-version": { "data": { "type": "state-versions", "id": "$first" } } }
  }
}
END
)
echo "Rollback: $rollback"
echo "Locked: $(holdfast write -f --field=locked "api/v2/workspaces/$workspace/actions/unlock")"
"$tool" -chdir="$place" output -no-color
[ "$("$tool" -chdir="$place" output -raw size)" = small ]
