import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import type { Bench } from './harness/bench.ts'
import type { ChildServer } from './harness/child-server.ts'
import { type Contender, compareRates } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const listed = 1_000
const many = 1_000_000
const token = 'bench-token-of-secrets'
const asRoot = { 'x-service-token': benchRootToken, 'content-type': 'application/json' }
const asReader = { 'x-service-token': token }

/** Secrets and logins against what a server did before it had them, and lists among many secrets against few. */
export const bench: Bench = {
  about: 'reads against token look-ups, writes against policy writes, lists among a million, logins against new tokens',
  async *run(pace) {
    const server = await startHoldfast()
    try {
      await fill(server)
      yield `Reads of 1 KB by a token with three policies, ${connections} kept connections.\n\n${renderRates(
        await compareRates(
          [
            contender(server, 'token look-up', { path: '/v1/auth/token/lookup-self' }),
            contender(server, 'warm secret', { path: '/v1/few/data/warm', target: 0.5 }),
          ],
          pace,
        ),
      )}`
      yield `Writes.\n\n${renderRates(
        await compareRates(
          [
            contender(server, 'policy', {
              body: { policy: rule },
              path: (n) => `/v1/sys/policies/acl/p${n}`,
              status: 204,
            }),
            contender(server, 'secret', { body: secret, path: (n) => `/v1/few/data/w${n}`, target: 0.7 }),
          ],
          pace,
        ),
      )}`
      yield `Lists of ${listed} keys.\n\n${renderRates(
        await compareRates(
          [
            contender(server, `among ${listed}`, { path: '/v1/few/metadata/listed?list=true' }),
            contender(server, `among ${many}`, { path: '/v1/many/metadata/listed?list=true', target: 0.5 }),
          ],
          pace,
        ),
      )}`
      yield `Logins, each of which stores a token, against a token that makes another.\n\n${renderRates(
        await compareRates(
          [
            contender(server, 'token', { path: '/v1/auth/token/create', body: { policies: ['few'], no_parent: true } }),
            ...(await logins(server)),
          ],
          pace,
        ),
      )}`
    } finally {
      await server.stop()
    }
  },
}

const secret = { data: { text: 'x'.repeat(1_000) } }
const rule = 'path "few/*" { capabilities = ["read"] }'
const names = 100

type Ask = {
  readonly path: string | ((n: number) => string)
  readonly body?: object
  readonly status?: number
  readonly target?: number
}

function contender(server: ChildServer, name: string, { path, body, status = 200, target }: Ask): Contender {
  const requests = Array.from({ length: names }, (_, n) => {
    const at = typeof path === 'string' ? path : path(n)
    return body ? requestBytes('POST', at, asRoot, JSON.stringify(body)) : requestBytes('GET', at, asReader)
  })
  const client = openClient({ port: server.facts.port, requests, connections, status })
  return { name, target, run: client.run, cpu: server.cpu }
}

async function send(server: ChildServer, path: string, body?: object): Promise<Record<string, string>> {
  const sent = body ? { method: 'POST', body: JSON.stringify(body) } : { method: 'GET' }
  const answer = await fetch(`http://127.0.0.1:${server.facts.port}/v1/${path}`, { ...sent, headers: asRoot })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return text === '' ? {} : JSON.parse(text).data
}

/** Logins with a secret id that any number may use, with one that is counted, and with JWTs of two kinds of keys. */
async function logins(server: ChildServer): Promise<Contender[]> {
  const contenders: Contender[] = []
  await send(server, 'sys/auth/approle', { type: 'approle' })
  for (const [name, uses] of [
    ['approle', 0],
    ['approle, counted', 1_000_000_000],
  ] as const) {
    const role = `auth/approle/role/uses-${uses}`
    await send(server, role, { token_policies: 'few', secret_id_num_uses: uses })
    const { role_id } = await send(server, `${role}/role-id`)
    const { secret_id } = await send(server, `${role}/secret-id`, {})
    contenders.push(contender(server, name, { path: '/v1/auth/approle/login', body: { role_id, secret_id } }))
  }
  for (const alg of ['ES256', 'RS256']) {
    const { publicKey, privateKey } = await generateKeyPair(alg)
    const claims = new SignJWT({ sub: 'job', aud: 'holdfast', repository: 'acme/app' }).setProtectedHeader({ alg })
    const jwt = await claims.setIssuedAt().setExpirationTime('6h').sign(privateKey)
    await send(server, `sys/auth/${alg}`, { type: 'jwt' })
    await send(server, `auth/${alg}/config`, { jwt_validation_pubkeys: await exportSPKI(publicKey) })
    const bound = { bound_audiences: 'holdfast', bound_claims: { repository: 'acme/app' } }
    await send(server, `auth/${alg}/role/ci`, { role_type: 'jwt', user_claim: 'sub', token_policies: 'few', ...bound })
    contenders.push(contender(server, `jwt, ${alg}`, { path: `/v1/auth/${alg}/login`, body: { role: 'ci', jwt } }))
  }
  return contenders
}

async function fill(server: ChildServer): Promise<void> {
  for (const mount of ['few', 'many']) {
    await send(server, `sys/mounts/${mount}`, { type: 'kv-v2' })
    await send(server, `sys/policies/acl/${mount}`, { policy: `path "${mount}/*" { capabilities = ["read", "list"] }` })
    await send(server, `${mount}/data/warm`, secret)
  }
  await send(server, 'auth/token/create', { id: token, policies: ['few', 'many', 'default'], no_parent: true })
  copySecrets(join(String(server.facts.dataDir), 'holdfast.db'))
}

/** Writes rows beside the server: by requests, a million would take half an hour. */
function copySecrets(file: string): void {
  const database = new DatabaseSync(file, { timeout: 60_000 })
  const copy = (mount: string, path: string, count: number) =>
    database.exec(`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
      insert into kv_secrets select '${mount}-${count}-' || i, mount_id, ${path}, current_version, oldest_version,
      max_versions, cas_required, delete_version_after, metadata_version, metadata_cas_required, custom_metadata, ends_at,
      created_at, updated_at from kv_secrets, n
      where mount_id = (select id from mounts where path = '${mount}/') and name = 'warm'`)
  for (const mount of ['few', 'many']) copy(mount, "'listed/', 'key-' || i", listed)
  copy('many', "'other/' || (i % 1000) || '/', 'key-' || i", many)
  database.close()
}
