#!/usr/bin/env bash
# run.sh DATABASE: three nodes, one of which is killed.
set -euo pipefail
here=$(dirname "$0")
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
database=${1:?the address of an empty PostgreSQL database}
read -r -a ports <<<"${PORTS:-9301 9302 9303}"
folder=$(mktemp -d)
declare -A node

tidy() {
  kill "${node[@]}" 2>/dev/null || true
  wait
  rm -r "$folder"
}
trap tidy EXIT

echo "== A certificate, and the seal key that all nodes share"
(umask 077 && openssl rand -base64 32 >"$folder/seal.key")
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=Three nodes' \
  -addext subjectAltName=IP:127.0.0.1 -keyout "$folder/server-key.pem" -out "$folder/server.pem" 2>/dev/null
export HOLDFAST_CACERT=$folder/server.pem

start() {
  sed -e "s#FOLDER#$folder#" -e "s#PORT#$1#" -e "s#DATABASE#$database#" "$here/node.yaml" >"$folder/$1.yaml"
  holdfast server --config "$folder/$1.yaml" >"$folder/$1.out" 2>"$folder/$1.log" &
  node[$1]=$!
  until grep -q '"msg":"ready"' "$folder/$1.log"; do
    kill -0 "${node[$1]}" 2>/dev/null || { cat "$folder/$1.log" >&2; exit 1; }
    sleep 0.1
  done
}

echo "== The first node makes the store, then the others start"
for port in "${ports[@]}"; do start "$port"; done
HOLDFAST_TOKEN=$(grep -o 'hfs\.[A-Za-z0-9]*' "$folder/${ports[0]}.out")
export HOLDFAST_TOKEN

# ask PORT PATH: what that node answers.
ask() {
  curl --silent --show-error --fail --cacert "$folder/server.pem" --header "X-Service-Token: $HOLDFAST_TOKEN" \
    "https://127.0.0.1:$1/v1/$2"
}

# What one node says about all, a line for each: address, state, whether it leads.
nodes() {
  ask "$1" sys/ha-status |
    node -e 'for (const { cluster_address: at, state, active_node: leads } of JSON.parse(fs.readFileSync(0)).nodes)
      console.log(at, state, leads ? "leads" : "")'
}
until nodes "${ports[0]}" | grep -q leads; do sleep 0.2; done
nodes "${ports[0]}"

echo "== A write on one node is there on the others at once"
HOLDFAST_ADDR=https://127.0.0.1:${ports[1]} holdfast write sys/policies/acl/shared policy='path "x" { capabilities = ["read"] }'
HOLDFAST_ADDR=https://127.0.0.1:${ports[2]} holdfast list sys/policies/acl | grep shared

echo "== The node that leads is killed"
leads=$(nodes "${ports[0]}" | sed -n 's#.*:\([0-9]*\) present leads#\1#p')
left=()
for port in "${ports[@]}"; do [ "$port" = "$leads" ] || left+=("$port"); done
pid=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$folder/$leads.log" | head -1)
kill -9 "$pid"

echo "== The others answer"
for _ in 1 2 3 4 5; do
  for port in "${left[@]}"; do
    ask "$port" auth/token/lookup-self >/dev/null
    echo "$port answers"
  done
done

echo "== Another one leads, at most ${WAIT:-40} s later; the killed one is gone after half a minute"
for _ in $(seq "${WAIT:-40}"); do
  nodes "${left[0]}" >"$folder/now"
  if grep -q 'present leads' "$folder/now" && grep -q gone "$folder/now"; then break; fi
  sleep 1
done
cat "$folder/now"
grep -q 'present leads' "$folder/now"
grep -q "$leads gone" "$folder/now"
