// What the secrets of a server have after a while, for pictures of the pages.
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { type DevServer, sender } from './demo.ts'

const billing = `# What the billing services need.
path "auth/cert/certs/*" {
  capabilities = ["read", "list"]
}

path "secret/data/payments/*" {
  capabilities = ["create", "read", "update"]
}

path "auth/cert/certs/root-ca" {
  capabilities = ["deny"]
}
`

type Send = ReturnType<typeof sender>

/** Fills `/v1` through its API. Returns the pages whose addresses have ids, by the names of their pictures. */
export async function fillSecrets(server: DevServer): Promise<Readonly<Record<string, { readonly path: string }>>> {
  const send = sender(server)
  await fillKeys(send)
  for (const name of ['billing-read', 'deploy', 'edge-sensors', 'on-call', 'team/network'])
    await send('POST', `/v1/sys/policies/acl/${name}`, { policy: billing })
  const entity = await fillEntities(send)
  for (const [display_name, ttl] of [
    ['nightly-backup', '8h'],
    ['deploy', '1h'],
    ['on-call', '30m'],
  ])
    await send('POST', '/v1/auth/token/create', { display_name, ttl, policies: [display_name, 'billing-read'] })
  await send('POST', '/v1/sys/auth/edge/sensors', { type: 'cert', description: 'Machines at the edge' })
  await fillMethods(send)
  const options = { file_path: join(server.folder, 'audit.log') }
  await send('POST', '/v1/sys/audit/file', { type: 'file', description: 'Collected each night', options })
  await send('POST', '/v1/sys/config/auditing/request-headers/x-trace-id', { hmac: true })
  const limit = { path: 'auth/cert/login', rate: 20, interval: '1s' }
  await send('POST', '/v1/sys/quotas/rate-limit/logins', limit)
  const own = (await send('GET', '/v1/auth/token/lookup-self')).data as unknown as { accessor: string }
  return {
    entity: { path: `/app/server/secrets/entities/${entity}` },
    'entity-aliases': { path: `/app/server/secrets/entities/${entity}?tab=aliases` },
    'service-token': { path: `/app/server/secrets/tokens/${own.accessor}` },
  }
}

/** Secrets in folders, one of them with a past. */
async function fillKeys(send: Send): Promise<void> {
  for (const path of ['edge/gateway', 'network/bgp', 'payments/api-prod', 'payments/db-staging', 'shared/smtp'])
    await send('POST', `/v1/secret/data/${path}`, { data: { user: 'app', password: 'correct horse' } })
  const database = { host: 'payments-db.example', port: '5432', username: 'payments_rw', password: 'first' }
  for (const password of ['first', 'second', 'third', 'fourth'])
    await send('POST', '/v1/secret/data/payments/db-prod', { data: { ...database, password } })
  const last = { ...database, password: 'fifth', replica_host: 'payments-db-r0.example' }
  await send('POST', '/v1/secret/data/payments/db-prod', { data: last })
  await send('POST', '/v1/secret/delete/payments/db-prod', { versions: [2] })
  await send('POST', '/v1/secret/destroy/payments/db-prod', { versions: [1] })
  const custom_metadata = { owner: 'payments', rotates: '30d' }
  await send('POST', '/v1/secret/metadata/payments/db-prod', { custom_metadata })
  await send('GET', '/v1/secret/data/payments/db-prod')
}

async function fillEntities(send: Send): Promise<string> {
  for (const name of ['billing', 'build-agents', 'ingress', 'mail-relay', 'payments-api'])
    await send('POST', '/v1/identity/entity', {
      name,
      policies: name === 'ingress' ? [] : ['billing-read'],
      metadata: { team: 'finance' },
    })
  const methods = (await send('GET', '/v1/sys/auth')).data as unknown as Record<string, { accessor: string }>
  const { id } = (await send('GET', '/v1/identity/entity/name/billing')).data
  const alias = { name: 'billing.example.com', mount_accessor: methods['cert/']?.accessor, canonical_id: id }
  await send('POST', '/v1/identity/entity-alias', alias)
  return id
}

/** Roles of the methods by which programs log in without a certificate. */
async function fillMethods(send: Send): Promise<void> {
  const terms = { token_policies: ['billing-read'], token_ttl: '20m', token_max_ttl: '1h' }
  await send('POST', '/v1/sys/auth/approle', { type: 'approle', description: 'Programs in the data centre' })
  for (const name of ['backup', 'deploy', 'report'])
    await send('POST', `/v1/auth/approle/role/${name}`, { ...terms, secret_id_ttl: '720h', secret_id_num_uses: 40 })
  const metadata = { host: 'backup-1' }
  await send('POST', '/v1/auth/approle/role/backup/secret-id', { metadata, cidr_list: ['10.4.0.0/16'], num_uses: 12 })
  await send('POST', '/v1/auth/approle/role/backup/secret-id', { metadata: { host: 'backup-2' }, ttl: '36h' })
  await send('POST', '/v1/sys/auth/pipelines', { type: 'jwt', description: 'Jobs of the build server' })
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwt_validation_pubkeys = [publicKey.export({ type: 'spki', format: 'pem' })]
  const bound_issuer = 'https://builds.example'
  await send('POST', '/v1/auth/pipelines/config', { jwt_validation_pubkeys, bound_issuer, default_role: 'release' })
  await send('POST', '/v1/auth/pipelines/role/release', {
    ...terms,
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['holdfast'],
    bound_claims: { repository: ['meridian/billing'], ref: ['refs/heads/main'] },
  })
}
