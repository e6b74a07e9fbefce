#!/usr/bin/env bash
# Tries setup.sh and job.sh with a CA made for it.
set -euo pipefail
here=$(dirname "$0")
type holdfast >/dev/null 2>&1 || holdfast() { npx holdfast "$@"; }
organization=${ORGANIZATION:-demo}
CERTIFICATES=$(mktemp -d)
export CERTIFICATES

tidy() {
  holdfast delete auth/cert/certs/ci || true
  holdfast delete "api/v2/organizations/$organization/workspaces/shop-prod" || true
  team=$(holdfast read --json "api/v2/organizations/$organization/teams?filter[names]=deployers" |
    sed -n 's/.*"id": "\(team-[A-Za-z0-9]*\)".*/\1/p' | head -1)
  holdfast delete "api/v2/teams/$team" || true
  rm -r "$CERTIFICATES"
}
trap tidy EXIT

echo "== The CA of the machines, and the certificate of one"
cd "$CERTIFICATES"
curve='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
openssl req -x509 $curve -days 365 -subj '/CN=Machines' -addext keyUsage=critical,keyCertSign,cRLSign \
  -keyout ca-key.pem -out ca.pem 2>/dev/null
openssl req $curve -subj '/CN=ci-7' -keyout ci-key.pem -out ci.csr 2>/dev/null
printf 'extendedKeyUsage=clientAuth\nkeyUsage=critical,digitalSignature\n' >ci.txt
openssl x509 -req -in ci.csr -CA ca.pem -CAkey ca-key.pem -days 7 -extfile ci.txt -out ci.pem 2>/dev/null
cd - >/dev/null

echo "== Once, by an administrator"
"$here/setup.sh" "$CERTIFICATES/ca.pem"

echo "== A job"
"$here/job.sh"

echo "== Another machine, whose name the role does not allow, is refused"
cd "$CERTIFICATES"
openssl req $curve -subj '/CN=laptop-3' -keyout ci-key.pem -out ci.csr 2>/dev/null
openssl x509 -req -in ci.csr -CA ca.pem -CAkey ca-key.pem -days 7 -extfile ci.txt -out ci.pem 2>/dev/null
cd - >/dev/null
if "$here/job.sh"; then
  echo "It was not." >&2
  exit 1
fi
