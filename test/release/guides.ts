import { mintCa, mintCrl, mintLeaf, mintServer } from '../support/certificates.ts'

/** What a reader of a page has, and does beside its commands. Blocks are named by how they begin. */
export type Guide = {
  /** Files that the reader has. */
  readonly prepare?: () => Readonly<Record<string, string | Buffer>>
  /** Files that blocks of the page are saved to. */
  readonly files?: Readonly<Record<string, string>>
  /** Commands before the first block. */
  readonly first?: string
  /** Commands before others. */
  readonly before?: Readonly<Record<string, string>>
  /** What words in the commands stand for. */
  readonly words?: Readonly<Record<string, string>>
  /** What words in the output stand for. */
  readonly shown?: Readonly<Record<string, string>>
  /** True for pages with an empty PostgreSQL, whose address is in `$database`. */
  readonly postgres?: boolean
}

/** Blocks that are not run; with `unless`, only where that program is not installed. */
export const skipped: readonly { page: string; block: string; why: string; unless?: string }[] = [
  { page: 'CONTRIBUTING.md', block: 'git clone', why: 'needs the address of a repository, and runs all tests' },
  { page: 'docs/running.md', block: 'git clone', why: 'needs the address of a repository, and installs for all users' },
  { page: 'docs/one-machine.md', block: 'mkdir -p /opt', why: 'needs an archive, and installs for all users' },
  { page: 'docs/one-machine.md', block: 'cd deploy', why: 'needs systemd, and creates a user' },
  { page: 'docs/one-machine.md', block: 'systemctl enable', why: 'needs systemd' },
  { page: 'docs/one-machine.md', block: 'holdfast snapshot save', why: 'needs an archive and systemd' },
  { page: 'docs/three-nodes.md', block: 'runuser -u postgres', why: 'needs a PostgreSQL of the system' },
  { page: 'docs/three-nodes.md', block: 'systemctl enable', why: 'needs systemd' },
  { page: 'docs/three-nodes.md', block: 'systemctl kill', why: 'needs systemd' },
  { page: 'docs/three-nodes.md', block: 'systemctl stop', why: 'needs an archive and systemd' },
  { page: 'docs/three-nodes.md', block: 'haproxy -c', why: 'needs HAProxy', unless: 'haproxy' },
  { page: 'docs/cluster.md', block: 'npm run release', why: 'needs a container engine and a registry' },
  { page: 'docs/cluster.md', block: 'kubectl create namespace', why: 'needs a cluster' },
  { page: 'docs/cluster.md', block: 'kubectl --namespace holdfast create secret', why: 'needs a cluster' },
  { page: 'docs/cluster.md', block: 'kubectl --namespace holdfast port-forward', why: 'needs a cluster' },
  { page: 'docs/cluster.md', block: 'password=', why: 'needs a cluster' },
  { page: 'docs/cluster.md', block: 'helm lint', why: 'needs Helm', unless: 'helm' },
  { page: 'docs/cluster.md', block: 'helm install', why: 'needs a cluster' },
  { page: 'docs/cluster.md', block: 'holdfast snapshot save', why: 'needs a cluster' },
  { page: 'docs/clients.md', block: 'export VAULT_ADDR', why: 'needs vault', unless: 'vault' },
  { page: 'README.md', block: 'npm install ./holdfast', why: 'release.test.ts installs the package' },
  { page: 'README.md', block: '$ export SSL_CERT_FILE', why: 'needs terraform or tofu', unless: 'terraform' },
  { page: 'docs/agents.md', block: '$ vault agent -config=agent.hcl', why: 'needs vault', unless: 'vault' },
  { page: 'docs/agents.md', block: '$ vault agent -config=approle.hcl', why: 'needs vault', unless: 'vault' },
  { page: 'docs/kv.md', block: '$ vault secrets', why: 'needs vault', unless: 'vault' },
  { page: 'docs/kv.md', block: '$ vault kv metadata', why: 'needs vault', unless: 'vault' },
  {
    page: 'docs/kv.md',
    block: '$ curl -H "X-Service-Token: $token" $address/v1/secret/history',
    why: 'waits for a minute; history-endpoints.test.ts sends these requests',
  },
  { page: 'docs/workspaces.md', block: 'curl -g', why: 'needs terraform or tofu', unless: 'terraform' },
  { page: 'docs/workspace-events.md', block: 'at=', why: 'needs terraform or tofu', unless: 'terraform' },
]

/** What the commands of this file use. */
export const prelude = `
curl() { command curl --silent --show-error --fail-with-body "$@"; }
dev() {
  npm start -- --listen 127.0.0.1:8200 --http-listen 127.0.0.1:8201 >dev.log 2>&1 &
  until [ -e data/dev.json ]; do kill -0 $!; command sleep 0.1; done
}
fact() { node -p "JSON.parse(fs.readFileSync('data/dev.json')).$1"; }
member() { node -p "JSON.parse(fs.readFileSync(process.argv[1])).$2" "$1"; }
serve() {
  holdfast server --config "$1" >"$1.out" 2>"$1.log" &
  server=$!
  until grep -q '"msg":"ready"' "$1.log"; do kill -0 $!; command sleep 0.1; done
}
stop() { kill "$server"; wait "$server"; }
root_token() { grep -o 'hfs\\.[A-Za-z0-9]*' "$1.out"; }
exec </dev/null
`

const asUser = 'dev; TOKEN=$(fact user_token); export HOLDFAST_TOKEN=$TOKEN'
const asRoot = 'dev; TOKEN=$(fact root_token); ADDRESS=http://127.0.0.1:8201'

/** The configuration of a command that works on the store of the dev server. */
const devConfiguration = 'printf "data_dir: $PWD/data\\nlisten: off\\n" >/etc/holdfast/holdfast.yaml'

/** A server for the first time, and its root token. */
const ownServer = (more = '') => `
printf 'data_dir: /var/lib/holdfast\\nlisten: off\\nhttp_listen: 127.0.0.1:8201\\n${more}' >/etc/holdfast/holdfast.yaml
serve /etc/holdfast/holdfast.yaml
export HOLDFAST_ADDR=http://127.0.0.1:8201`

const keepRecoveryKey = "sed -n 's/.*Recovery key *//p' /etc/holdfast/holdfast.yaml.out >recovery.key"

/** A configuration that keeps its state in the workspace of the dev server. */
const terraform = `
export SSL_CERT_FILE=$PWD/data/tls/ca.pem
printf 'credentials "localhost:8200" {\\n  token = "%s"\\n}\\n' "$TOKEN" >"$HOME/.tofurc"
cp "$HOME/.tofurc" "$HOME/.terraformrc"
cat >main.tf <<'END'
terraform {
  cloud {
    hostname     = "localhost:8200"
    organization = "demo"
    workspaces { name = "first-steps" }
  }
}
END
tofu init`

/** The address of the workspace of the dev server, below which its actions are. */
const workspace = 'api/v2/workspaces/$(holdfast read --field=id api/v2/organizations/demo/workspaces/first-steps)'

const ownRoot = `export HOLDFAST_TOKEN=$(root_token /etc/holdfast/holdfast.yaml)`

/** A CA of clients with one certificate, and the list of what the CA has revoked. */
function clientFiles(): Record<string, string | Buffer> {
  const ca = mintCa()
  const leaf = mintLeaf(ca, { commonName: 'web-1' })
  const list = mintCrl(ca)
  return {
    'ca.pem': ca.pem,
    'ca-key.pem': ca.keyPem,
    'client.pem': leaf.pem,
    'client-key.pem': leaf.keyPem,
    'web-1.pem': leaf.pem,
    'web-1-key.pem': leaf.keyPem,
    'corp.pem': list.pem,
    'corp.crl': list.der,
  }
}

function serverFiles(): Record<string, string> {
  const ca = mintCa()
  const server = mintServer(ca)
  return {
    '/etc/holdfast/ca.pem': ca.pem,
    '/etc/holdfast/server.pem': server.chainPem,
    '/etc/holdfast/server-key.pem': server.keyPem,
  }
}

/** Stands in for a CI with its own issuer, and for a cluster whose keys only its CA makes trusted. */
const provider = `
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
const key = createPrivateKey(readFileSync('signer.pem'))
const jwk = { ...createPublicKey(key).export({ format: 'jwk' }), kid: 'first', alg: 'RS256', use: 'sig' }
const issuer = 'http://127.0.0.1:8209'
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenFor = (aud, claims) => {
  const now = Math.floor(Date.now() / 1_000)
  const text = part({ alg: 'RS256', kid: 'first' }) + '.' + part({ iat: now, exp: now + 300, aud, ...claims })
  return text + '.' + sign('sha256', Buffer.from(text), key).toString('base64url')
}
const answers = {
  '/.well-known/openid-configuration': () => ({ issuer, jwks_uri: issuer + '/keys' }),
  '/keys': () => ({ keys: [jwk] }),
  '/openid/v1/jwks': () => ({ keys: [jwk] }),
  '/token': (query) => ({
    value: tokenFor(query.get('audience'), {
      iss: issuer, sub: 'repo:acme/app', repository: 'acme/app', ref: 'refs/heads/main', sha: '4f2a',
    }),
  }),
}
const answer = (request, response) => {
  const { pathname, searchParams } = new URL(request.url, issuer)
  if (pathname === '/token' && request.headers.authorization !== 'bearer of-the-job') return response.writeHead(401).end()
  response.end(JSON.stringify(answers[pathname](searchParams)))
}
const pod = { namespace: 'web', serviceaccount: { name: 'app' } }
const claims = { iss: 'https://kubernetes.default.svc', sub: 'system:serviceaccount:web:app', 'kubernetes.io': pod }
writeFileSync('pod-token', tokenFor(['https://holdfast.example.com'], claims))
const cluster = createSecureServer({ cert: readFileSync('cluster.pem'), key: readFileSync('cluster-key.pem') }, answer)
createServer(answer).listen(8209, '127.0.0.1', () =>
  cluster.listen(0, '127.0.0.1', () => writeFileSync('cluster-port', String(cluster.address().port))))
`

function providerFiles(): Record<string, string> {
  const ca = mintCa()
  const server = mintServer(ca)
  return {
    'provider.mjs': provider,
    'cluster-ca.pem': ca.pem,
    'cluster.pem': server.chainPem,
    'cluster-key.pem': server.keyPem,
  }
}

/** Runs the commands of a job of the page as the CI does. */
const runJob = `
  rm job-token
  sed '1,/run: |/d; s/^      //' ci.yaml >job.sh
  ACTIONS_ID_TOKEN_REQUEST_URL="http://127.0.0.1:8209/token?api-version=2" \
    ACTIONS_ID_TOKEN_REQUEST_TOKEN=of-the-job bash -euo pipefail job.sh`

/** What the examples of commands read. */
function commandFiles(): Record<string, string | Buffer> {
  const ca = mintCa()
  const state = (serial: number) => ({
    version: 4,
    terraform_version: '1.9.4',
    serial,
    lineage: 'shop',
    outputs: {},
    resources: [],
  })
  return {
    'ca.pem': ca.pem,
    'issuing.crl': mintCrl(ca).pem,
    'newer.crl': mintCrl(ca, { number: 2n }).pem,
    'web.hcl': 'path "secret/*" { capabilities = ["read"] }',
    'serial-11.tfstate': JSON.stringify(state(11)),
    'serial-12.tfstate': JSON.stringify(state(12)),
  }
}

/** A reader answers the question before a restore. */
const withoutQuestions = {
  'snapshot restore today.snap': 'snapshot restore --yes today.snap',
  'snapshot restore --force': 'snapshot restore --yes --force',
}

/** Two more nodes like the first, and the balancer of the page if there is a HAProxy. */
const moreNodes = `
port() { node -e 's = net.createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'; }
all=https://localhost:8200
second=$(port); third=$(port)
for own in $second $third; do
  sed -e "s#^data_dir.*#data_dir: $PWD/data-$own#" -e "s#^listen.*#listen: 127.0.0.1:$own#" \
    /etc/holdfast/holdfast.yaml >node-$own.yaml
  HOLDFAST_HTTP_LISTEN=off serve node-$own.yaml
done
if type haproxy; then
  sed -i -e 's/bind .*/bind 127.0.0.1:8209/' -e 's/node1.example.com/127.0.0.1/' \
    -e "s/node2.example.com:.*/127.0.0.1:$second/" -e "s/node3.example.com:.*/127.0.0.1:$third/" haproxy.cfg
  haproxy -db -f haproxy.cfg &
  all=https://localhost:8209
fi
until curl --cacert ca.pem $all/readyz; do command sleep 0.1; done`

/** The nodes that `sys/ha-status` shows in a state. */
const nodesAre = (state: string, count: number) =>
  `until [ "$(holdfast read --format=json sys/ha-status | grep -c '"state": "${state}"')" = ${count} ]; do command sleep 0.2; done`

/** The pages with commands that need something. */
export const guides: Readonly<Record<string, Guide>> = {
  'README.md': {
    files: { 'terraform {': 'main.tf' },
    before: {
      '$ npx holdfast snapshot list': `
        until holdfast snapshot list | grep -E 'scheduled( +[0-9]\\S*){2}'; do command sleep 0.2; done`,
    },
    words: { 'npm start': 'dev' },
  },
  'docs/agents.md': { files: { '# agent.hcl': 'agent.hcl', '# approle.hcl': 'approle.hcl' }, first: 'dev' },
  'docs/approle.md': {
    first: 'dev',
    before: { 'holdfast write -f --wrap-ttl': 'holdfast logout' },
    words: {
      'role_id=… secret_id=…':
        'role_id=$(holdfast read --field=role_id auth/approle/role/web/role-id) ' +
        'secret_id=$(holdfast write -f --field=secret_id auth/approle/role/web/secret-id)',
      'secret-id\nholdfast write sys/wrapping/unwrap token=-    # asks for the token':
        'secret-id --field=token >wrapped\nholdfast write sys/wrapping/unwrap token=$(cat wrapped)',
    },
  },
  'docs/audit.md': {
    first: `dev; ${devConfiguration}`,
    before: {
      '$ holdfast audit verify': `
        rm /var/log/holdfast/audit.log
        until holdfast write sys/audit/file type=file options=file_path=/var/log/holdfast/audit.log; do sleep 0.1; done
        mv /var/log/holdfast/audit.log /var/log/holdfast/audit.log.1
        kill -HUP "$(fact pid)"
        until [ -s /var/log/holdfast/audit.log ]; do holdfast read sys/mounts; done`,
    },
    shown: { 48210: '…' },
  },
  'docs/certificate-login.md': {
    prepare: clientFiles,
    first: 'dev',
    before: {
      'holdfast write sys/auth/cert': 'holdfast delete sys/auth/cert',
      'holdfast write auth/cert/explain': 'holdfast logout; cp data/tls/client.pem client.pem',
      'holdfast write auth/cert/crls': `
        node -e "http.createServer((_, answer) => answer.end(fs.readFileSync('corp.crl'))).listen(8209, '127.0.0.1')" &
        until command curl --silent http://127.0.0.1:8209; do sleep 0.1; done >corp-served.crl`,
      'curl -X PATCH': `
        TOKEN=$(fact user_token); ADDRESS=http://127.0.0.1:8201
        team=$(holdfast write --field=id api/v2/organizations/demo/teams name=deploy)`,
    },
    words: { 'http://pki.example.com': 'http://127.0.0.1:8209', 'team-…': '$team' },
  },
  'docs/clients.md': { first: 'dev' },
  'docs/cluster.md': {
    postgres: true,
    files: { '# values.yaml': 'values.yaml' },
    before: { 'helm lint': "sed -i 's#http:.*#https://localhost#' values.yaml" },
    words: {
      'postgres://holdfast:$password@127.0.0.1:5432/holdfast?sslmode=no-verify': '$database',
      'npx holdfast server --listen off --http-listen 127.0.0.1:8201':
        'printf "listen: off\\nhttp_listen: 127.0.0.1:8201\\n" >first.yaml; serve first.yaml',
      'hfs.…': '$(root_token first.yaml)',
    },
  },
  'docs/commands.md': {
    prepare: commandFiles,
    first: `dev; export HOLDFAST_ORGANIZATION=demo; cp data/tls/client.pem client.pem
      holdfast organization create acme --email ops@example.com
      holdfast project create platform
      for name in app-prod app-test; do holdfast workspace create $name; done
      for serial in 11 12; do holdfast state push app-prod serial-$serial.tfstate; done
      for key in region db_password; do holdfast variable create $key --workspace app-prod --value eu; done
      holdfast team create testers
      for name in ann ben; do
        holdfast user create $name --email $name@example.com
        echo "{\\"data\\":{\\"type\\":\\"organization-memberships\\",\\"attributes\\":{\\"email\\":\\"$name@example.com\\"}}}" >member.json
        holdfast write api/v2/organizations/demo/organization-memberships @member.json
      done
      holdfast cert crl create root --crl @issuing.crl`,
    words: {
      '/var/backups/holdfast': '$PWD/data/backups',
      'holdfast token renew':
        'HOLDFAST_TOKEN=$(holdfast token create --policies default --field token) holdfast token renew',
      UXlWmAfzJDySaZ9YxD1hOzYB: '$(holdfast token create --policies default --field accessor)',
    },
  },
  'docs/jwt.md': {
    prepare: providerFiles,
    files: { 'permissions:': 'ci.yaml' },
    first: `
      dev
      openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out signer.pem
      node provider.mjs &
      until [ -s cluster-port ]; do kill -0 $!; sleep 0.1; done
      kubectl() { curl --cacert cluster-ca.pem "https://localhost:$(cat cluster-port)\${*: -1}"; }
      curl -H 'Authorization: bearer of-the-job' "http://127.0.0.1:8209/token?audience=https://holdfast.example.com" |
        jq -r .value >job-token`,
    before: {
      'kubectl get': `${runJob}; holdfast logout`,
    },
    words: {
      'https://token.actions.githubusercontent.com': 'http://127.0.0.1:8209',
      'https://kubernetes.example.com:6443': 'https://localhost:$(cat cluster-port)',
      '/var/run/secrets/holdfast/token': 'pod-token',
    },
  },
  'docs/kv.md': {
    first: `
      dev
      holdfast delete sys/mounts/secret
      export VAULT_ADDR=http://127.0.0.1:8201 VAULT_TOKEN=$(fact root_token)
      address=$VAULT_ADDR token=$VAULT_TOKEN`,
    // The mount is there if vault is.
    words: { '$address/v1/sys/mounts/secret': '$address/v1/sys/mounts/other' },
    before: {
      '$ curl -H "X-Service-Token: $token" -d': 'holdfast write sys/mounts/secret type=kv-v2 || true',
    },
  },
  'docs/migrating.md': { prepare: clientFiles },
  'docs/one-machine.md': {
    first: 'export HOLDFAST_LOCAL_PATHS_ALLOW=/var/backups/holdfast',
    files: { '# /etc/holdfast/holdfast.yaml': '/etc/holdfast/holdfast.yaml' },
    words: { 'holdfast server --config': 'serve', 'hfs.…': '$(root_token /etc/holdfast/holdfast.yaml)' },
  },
  'docs/policies.md': {
    files: { 'path "auth/cert/certs/*"': 'certs.hcl' },
    first: 'dev',
    words: {
      'canonical_id=…': 'canonical_id=$(holdfast read --field=id identity/entity/name/billing)',
      auth_cert_1a2b3c4d: '$(holdfast read --format=json sys/auth >mounts; member mounts \'data["cert/"].accessor\')',
    },
  },
  'docs/restore.md': {
    first: `${ownServer()}; ${ownRoot}`,
    before: {
      'holdfast snapshot restore --force --seal-key': `
        cp /var/lib/holdfast/seal.key old-seal.key
        ${keepRecoveryKey}`,
      install: `
        stop
        mv today.snap newest.snap
        printf 'data_dir: drill\\nlisten: off\\nhttp_listen: 127.0.0.1:8201\\n' >drill.yaml`,
    },
    words: {
      ...withoutQuestions,
      'holdfast server --config': 'serve',
      'https://drill.example.com:8200': 'http://127.0.0.1:8201',
      'hfs.…': '$(root_token drill.yaml)',
    },
  },
  'docs/running.md': {
    prepare: serverFiles,
    files: { '# /etc/holdfast/holdfast.yaml': '/etc/holdfast/holdfast.yaml' },
    before: {
      'holdfast snapshot save move.snap': `
        move() {
          stop
          sed -i 's/^data_dir.*/data_dir: moved/' /etc/holdfast/holdfast.yaml
          serve /etc/holdfast/holdfast.yaml
          ${ownRoot}
        }`,
    },
    words: {
      ...withoutQuestions,
      'useradd ': ': ',
      'chown holdfast ': 'test -f ',
      'holdfast server --config': 'serve',
      'hfs.…': '$(root_token /etc/holdfast/holdfast.yaml)',
      '# stop the server; set storage: ': 'move # ',
    },
  },
  'docs/seal.md': {
    prepare: serverFiles,
    first: ownServer(),
    before: {
      runuser: `
        stop
        ${keepRecoveryKey}
        rm /var/lib/holdfast/seal.key`,
      '$ curl': `
        cp /etc/holdfast/ca.pem ca.pem
        printf 'data_dir: shamir\\nlisten: 127.0.0.1:8200\\nseal:\\n  type: shamir\\ntls:\\n' >shamir.yaml
        printf '  cert_file: /etc/holdfast/server.pem\\n  key_file: /etc/holdfast/server-key.pem\\n' >>shamir.yaml
        serve shamir.yaml`,
      '$ base64': `
        init=$OUTPUT/1
        holdfast write sys/unseal key="$(member "$init" 'keys[1]')"
        export HOLDFAST_TOKEN=$(member "$init" root_token)
        gpg --batch --passphrase '' --quick-generate-key holder@example.com
        trap 'gpgconf --kill all' EXIT
        rekey() { holdfast write --format=json "sys/rekey/$@"; }
        rekey init secret_shares=1 secret_threshold=1 pgp_keys="$(gpg --export | base64 -w0)" >begun
        for index in 0 1; do
          rekey update nonce="$(member begun nonce)" key="$(member "$init" "keys[$index]")" >done
        done
        share=$(member done 'keys_base64[0]')`,
      'holdfast write sys/rekey/init': `
        present=$(cat "$last")
        nonce() { holdfast read --field=nonce "sys/rekey/$1"; }
        update() { echo "$present" | rekey update nonce="$(nonce init)" "$@" >renewed; }
        verify() {
          for index in 0 1 2; do
            member renewed "keys[$index]" | rekey verify nonce="$(nonce verify)" "$@"
          done
        }`,
    },
    words: {
      'holdfast write sys/rekey/update nonce=…': 'update',
      'holdfast write sys/rekey/verify nonce=…': 'verify',
      '"key":"…"': `"key":"'$(member "$last" 'keys[0]')'"`,
    },
    shown: { '6fa1…': '…' },
  },
  'docs/snapshots.md': { files: { '{\n  "interval": "24h"': 'nightly.json' }, first: asRoot },
  'docs/state.md': {
    first: `
      ${asUser}
      HOLDFAST_DATA_DIR=old HOLDFAST_LISTEN=off HOLDFAST_HTTP_LISTEN=127.0.0.1:8209 holdfast dev >old.log 2>&1 &
      until [ -e old/dev.json ]; do kill -0 $!; sleep 0.1; done
      old_token=$(member old/dev.json user_token)
      HOLDFAST_ADDR=http://127.0.0.1:8209 HOLDFAST_TOKEN=$old_token holdfast write \\
        api/v2/organizations name=acme email=ann@example.com`,
    words: {
      'HOLDFAST_IMPORT_TOKEN=…': 'HOLDFAST_IMPORT_TOKEN=$old_token',
      'https://old.example.com': 'http://127.0.0.1:8209',
    },
  },
  'docs/three-nodes.md': {
    postgres: true,
    files: { '# /etc/holdfast/holdfast.yaml': '/etc/holdfast/holdfast.yaml', '# haproxy.cfg': 'haproxy.cfg' },
    before: {
      'runuser -u holdfast -- holdfast doctor': `
        sed -i -e "s#^storage.*#storage: $database#" -e 's#^base_url.*#base_url: https://localhost:8200#' \
          /etc/holdfast/holdfast.yaml`,
      'haproxy -c': "sed -i 's/node[1-3].example.com/127.0.0.1/' haproxy.cfg",
      'export HOLDFAST_ADDR': moreNodes,
      'holdfast write sys/storage': `
        ${nodesAre('present', 3)}
        stop
        ${nodesAre('gone', 1)}
        holdfast status`,
    },
    words: {
      'holdfast server --config': 'serve',
      'https://holdfast.example.com': '$all',
      'hfs.…': '$(root_token /etc/holdfast/holdfast.yaml)',
      'AKIA… cloudA_secret_access_key=-': 'AKIA cloudA_secret_access_key=x cloudA_endpoint=127.0.0.1:1',
    },
  },
  'docs/tokens.md': {
    first: `${asRoot}; ${devConfiguration}; printf secret >password.txt`,
    words: { 'token=hfs.…': 'token=$(cat $last)' },
  },
  'docs/workspace-access.md': {
    first: asUser,
    before: {
      'team=': `
        HOLDFAST_TOKEN=$(fact root_token) holdfast admin create-user bo --email bo@example.org
        echo '{"data": {"type": "organization-memberships", "attributes": {"email": "bo@example.org"}}}' |
          holdfast write api/v2/organizations/demo/organization-memberships -`,
      'curl -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/vnd.api+json\' http':
        'workspace=$(holdfast read --field=id api/v2/organizations/demo/workspaces/first-steps)',
    },
    words: { '"team-…"': `"'$team'"`, '"ws-…"': `"'$workspace'"` },
  },
  'docs/workspace-events.md': {
    first: `${asUser}; ${terraform}`,
    before: {
      '$ curl -N': `
        curl() { command curl --silent "$@" | sed /^data/q || true; }
        (
          command sleep 1
          for action in lock unlock; do holdfast write -f ${workspace}/actions/$action; done
        ) &
        events=$!`,
      'at=': 'wait $events; sleep() { command sleep 0.5; }',
    },
    words: {
      'organizations/acme': 'organizations/demo',
      'api/v2/workspaces/ws-…': workspace,
      'tofu apply': 'tofu apply -auto-approve',
    },
    shown: { '1763208000000001-1': '…', '1763208000000003-2': '…' },
  },
  'docs/workspaces.md': {
    first: `${asUser}; ${terraform}`,
    before: {
      'holdfast write api': 'holdfast write api/v2/organizations name=acme email=ann@example.com',
      'curl -g': `
        sed -i s/first-steps/network/ main.tf && tofu init
        id=$(holdfast read --field=id api/v2/organizations/demo/workspaces/network)
        holdfast write api/v2/workspaces/$id/actions/lock reason=migrating`,
    },
    words: { 'tofu force-unlock': 'tofu force-unlock -force' },
  },
}
