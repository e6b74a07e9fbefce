import { beforeEach, expect, test } from 'vitest'
import { sharedApp } from '../../../../test/support/shared.ts'

const config = '/v1/sys/storage/raft/snapshot-auto/config'
const app = sharedApp()
// A configuration is warned about others that store at the same place.
beforeEach(async () => {
  const { body } = await app.root.list(config)
  for (const name of body.data?.keys ?? []) await app.root.delete(`${config}/${name}`)
})

const pem = '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n'
const local = { interval: 60, path_prefix: '/opt/s', storage_type: 'local', local_max_space: 10_000_000 }
const a = { interval: 60, path_prefix: 'p', storage_type: 'cloudA-store', cloudA_bucket: 'b', cloudA_region: 'r' }
const b = { interval: 60, path_prefix: 'p/', storage_type: 'cloudB-store', cloudB_bucket: 'b' }
const c = {
  interval: 60,
  path_prefix: 'p/',
  storage_type: 'cloudC-store',
  cloudC_container_name: 'box',
  cloudC_account_name: 'acc',
  cloudC_account_key: 'a2V5',
}
const vendorA = { interval: 60, path_prefix: 'p', storage_type: 'aws-s3', aws_s3_bucket: 'b', aws_s3_region: 'r' }
const vendorC = { interval: 60, path_prefix: 'p', storage_type: 'azure-blob', azure_container_name: 'box' }
const types = 'local, cloudA-store, cloudB-store, cloudC-store, aws-s3, google-gcs, azure-blob'

const without = (body: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

test.each<[string, object, string[]]>([
  ['an empty body', {}, ['interval is required', 'path_prefix is required', 'storage_type is required']],
  ['no interval', without(local, 'interval'), ['interval is required']],
  ['an empty prefix', { ...local, path_prefix: '' }, ['path_prefix is required']],
  ['an unknown type', { ...local, storage_type: 'floppy' }, [`storage_type must be one of: ${types}`]],
  ['an interval of zero', { ...local, interval: 0 }, ['interval must be at least 1 second']],
  ['a negative interval', { ...local, interval: -5 }, ['interval must be at least 1 second']],
  ['an interval of eleven years', { ...local, interval: '96400h' }, ['interval must be at most 10 years']],
  [
    'an interval of 1500ms',
    { ...local, interval: '1500ms' },
    [expect.stringContaining('interval must be whole seconds')],
  ],
  ['a fractional interval', { ...local, interval: 1.5 }, [expect.stringContaining('interval must be whole seconds')]],
  [
    'an interval in words',
    { ...local, interval: 'often' },
    [expect.stringContaining('interval must be whole seconds')],
  ],
  ['retain of zero', { ...local, retain: 0 }, ['retain must be at least 1']],
  ['a boolean for retain', { ...local, retain: true }, ['retain must be a whole number']],
  ['a boolean for local_max_space', { ...local, local_max_space: true }, ['local_max_space must be a whole number']],
  ['retain as a word', { ...local, retain: 'all' }, ['retain must be a whole number']],
  ['retain above the maximum', { ...local, retain: 1_000_001 }, ['retain must be at most 1000000']],
  [
    'a timeout as a word',
    { ...local, snapshot_timeout: 'long' },
    [expect.stringContaining('snapshot_timeout must be')],
  ],
  ['a timeout below zero', { ...local, snapshot_timeout: -1 }, [expect.stringContaining('snapshot_timeout must be')]],
  ['a slash in file_prefix', { ...local, file_prefix: 'a/b' }, [expect.stringContaining('file_prefix must not')]],
  ['dots in file_prefix', { ...local, file_prefix: 'a..b' }, [expect.stringContaining('file_prefix must not')]],
  ['a bell in file_prefix', { ...local, file_prefix: 'a\u0007' }, [expect.stringContaining('file_prefix must not')]],
  ['a C1 control in file_prefix', { ...local, file_prefix: 'a\u0085' }, [expect.stringContaining('file_prefix must')]],
  ['local_max_space beyond 2^63', { ...local, local_max_space: 2 ** 63 }, ['local_max_space is too large']],
  ['a long file_prefix', { ...local, file_prefix: 'x'.repeat(129) }, [expect.stringContaining('at most 128')]],
  ['no local_max_space', without(local, 'local_max_space'), ['local_max_space is required']],
  ['local_max_space of zero', { ...local, local_max_space: 0 }, [expect.stringContaining('local_max_space must be')]],
  [
    'a negative local_max_space',
    { ...local, local_max_space: '-1' },
    [expect.stringContaining('local_max_space must be')],
  ],
  ['a word for local_max_space', { ...local, local_max_space: 'much' }, ['local_max_space must be a whole number']],
  ['a relative path', { ...local, path_prefix: 'here' }, ['path_prefix must be an absolute path']],
  ['the root directory', { ...local, path_prefix: '//' }, ['path_prefix must not be the root directory']],
  ['two dots in path_prefix', { ...local, path_prefix: '/a/../etc' }, ["path_prefix must not contain '..'"]],
  ['NUL in path_prefix', { ...local, path_prefix: '/a\u0000b' }, [expect.stringContaining('NUL')]],
  ['a new line in path_prefix', { ...local, path_prefix: '/a\nb' }, [expect.stringContaining('control characters')]],
  ['an interval in a list', { ...local, interval: [60] }, [expect.stringContaining('interval must be whole seconds')]],
  ['a system directory', { ...local, path_prefix: '/etc/cron.d' }, [expect.stringContaining('local_paths.allow')]],
  [
    'a system directory after /./',
    { ...local, path_prefix: '/./etc/cron.d' },
    [expect.stringContaining('local_paths.allow')],
  ],
  ['the directory /usr//bin', { ...local, path_prefix: '/usr//bin' }, [expect.stringContaining('local_paths.allow')]],
  ['the directory /usr', { ...local, path_prefix: '/usr' }, [expect.stringContaining('local_paths.allow')]],
  ['the root directory as /./', { ...local, path_prefix: '/./' }, ['path_prefix must not be the root directory']],
  ['no bucket of A', without(a, 'cloudA_bucket'), ['cloudA_bucket is required']],
  ['no region of A', { ...a, cloudA_region: '' }, ['cloudA_region is required']],
  ['a key without secret', { ...a, cloudA_access_key_id: 'k' }, [expect.stringContaining('must be given together')]],
  [
    'a session without key',
    { ...a, cloudA_session_token: 't' },
    [expect.stringContaining('cloudA_session_token needs')],
  ],
  [
    'both kinds of encryption',
    { ...a, cloudA_enable_kms: true, cloudA_server_side_encryption: 'true' },
    ['cloudA_enable_kms and cloudA_server_side_encryption cannot both be true'],
  ],
  ['a word for a boolean', { ...a, cloudA_enable_kms: 'maybe' }, ['cloudA_enable_kms must be true or false']],
  [
    'an endpoint with an invalid port',
    { ...a, cloudA_endpoint: 'h:99999' },
    [expect.stringContaining('must be a host, host:port')],
  ],
  [
    'an endpoint with a password',
    { ...a, cloudA_endpoint: 'https://u:p@h' },
    [expect.stringContaining('must not hold a user')],
  ],
  [
    'an endpoint with a query',
    { ...a, cloudA_endpoint: 'https://h?x=1' },
    [expect.stringContaining('must not hold a user')],
  ],
  [
    'an endpoint with a path and without a scheme',
    { ...a, cloudA_endpoint: 'h:1/path' },
    [expect.stringContaining('must be a host, host:port')],
  ],
  ['a bad endpoint', { ...a, cloudA_endpoint: 'ftp://x' }, [expect.stringContaining('must be a host, host:port')]],
  [
    'plain http without the flag',
    { ...a, cloudA_endpoint: 'http://x' },
    [expect.stringContaining('needs cloudA_disable')],
  ],
  [
    'https against the flag',
    { ...a, cloudA_endpoint: 'https://x', cloudA_disable_tls: true },
    [expect.stringContaining('contradicts cloudA_disable_tls')],
  ],
  ['no slash at the end for B', { ...b, path_prefix: 'p' }, ["path_prefix must end in '/'"]],
  [
    'a service account key as a JSON object',
    { ...b, cloudB_service_account_key: { type: 'service_account' } },
    ['cloudB_service_account_key must be a string; JSON inside it needs its quotes and line breaks escaped'],
  ],
  [
    'a service account key that is a list',
    { ...b, cloudB_service_account_key: '[]' },
    [expect.stringContaining('a JSON object')],
  ],
  [
    'a service account key without client_email',
    { ...b, cloudB_service_account_key: '{"type":"service_account"}' },
    [expect.stringContaining('lacks client_email or private_key')],
  ],
  [
    'a service account key with an empty client_email',
    { ...b, cloudB_service_account_key: JSON.stringify({ client_email: '', private_key: pem }) },
    [expect.stringContaining('lacks client_email or private_key')],
  ],
  [
    'a private key that is no PEM',
    { ...b, cloudB_service_account_key: '{"client_email":"x","private_key":"y"}' },
    [expect.stringContaining('not PEM')],
  ],
  ['no container', without(c, 'cloudC_container_name'), ['cloudC_container_name is required']],
  ['no slash at the end for C', { ...c, path_prefix: 'p' }, ["path_prefix must end in '/'"]],
  [
    'an unknown auth mode',
    { ...c, cloudC_auth_mode: 'magic' },
    [expect.stringContaining('cloudC_auth_mode must be one of')],
  ],
  [
    'shared auth mode without a key',
    { ...without(c, 'cloudC_account_key'), cloudC_auth_mode: 'shared' },
    ['cloudC_account_key is required'],
  ],
  ['a key that is not base64', { ...c, cloudC_account_key: 'no-key' }, ['cloudC_account_key must be base64']],
  ['vendor: shared without a key', { ...vendorC, azure_auth_mode: 'shared' }, ['azure_account_key is required']],
  ['vendor: managed without an id', { ...vendorC, azure_auth_mode: 'managed' }, ['azure_client_id is required']],
  [
    'vendor: an unknown mode',
    { ...vendorC, azure_auth_mode: 'x' },
    [expect.stringMatching(/^azure_auth_mode must be one of/)],
  ],
  ['vendor: no bucket', without(vendorA, 'aws_s3_bucket'), ['aws_s3_bucket is required']],
  ['vendor: autoload', { ...vendorA, autoload_enabled: true }, ['autoload_enabled is not supported']],
  ['vendor: autoload in words', { ...vendorA, autoload_enabled: 'maybe' }, ['autoload_enabled must be true or false']],
  [
    'two spellings that differ',
    { ...vendorA, cloudA_bucket: 'other' },
    ['cloudA_bucket and aws_s3_bucket name the same field with different values'],
  ],
])('refused with 400: %s', async (_name, body, errors) => {
  const answer = await app.root.post(`${config}/bad`, body)
  expect(answer.body.errors).toEqual(errors)
  expect(answer.status).toBe(400)
  expect((await app.root.get(`${config}/bad`)).status).toBe(404)
})

test.each<[string, object, string[] | null]>([
  ['the name of the path', { ...local, name: 'good' }, null],
  ['an interval of 1d', { ...local, interval: '1d' }, null],
  ['numbers as strings', { ...local, interval: '90', retain: '7', local_max_space: '4194304' }, null],
  ['a slash at the end of a directory', { ...local, path_prefix: '/opt/s/' }, null],
  ['an endpoint of host and port', { ...a, cloudA_endpoint: 'minio:9000' }, null],
  ['equal values in two spellings', { ...vendorA, cloudA_bucket: 'b' }, null],
  ['the oldest name of the KMS key', { ...vendorA, aws_s3_enable_kms: true, aws_s3_server_kms_key: 'k' }, null],
  [
    'a whole service key',
    { ...b, cloudB_service_account_key: JSON.stringify({ client_email: 'e', private_key: pem }) },
    null,
  ],
  ['plain http', { ...a, cloudA_endpoint: 'h:1', cloudA_disable_tls: true }, ['cloudA_disable_tls sends']],
  ['a KMS key without enable_kms', { ...a, cloudA_kms_key: 'k' }, ['cloudA_kms_key has no effect']],
  [
    'a service account key without fields',
    { ...b, cloudB_service_account_key: '{}' },
    ['cloudB_service_account_key is empty'],
  ],
  ['an empty service key', { ...b, cloudB_service_account_key: '' }, ['cloudB_service_account_key is empty']],
  ['no account', { ...without(c, 'cloudC_account_name', 'cloudC_account_key') }, ['no credential', 'neither']],
  ['managed identity without a client id', { ...without(c, 'cloudC_account_key'), cloudC_auth_mode: 'managed' }, null],
  ['an unknown environment', { ...c, cloudC_blob_environment: 'mars' }, ["'mars' is not known"]],
  ['fields of another type', { ...a, local_max_space: 5, azure_endpoint: 'x' }, ['local_max_space, azure_endpoint']],
  ['fields of another type in capitals', { ...a, LOCAL_MAX_SPACE: 5 }, ['local_max_space']],
  ['autoload switched off in words', { ...vendorA, autoload_enabled: 'False' }, null],
  [
    'read-only fields of an answer',
    { ...a, secrets_set: [], created_time: '', updated_time: '', autoload_enabled: false },
    null,
  ],
  ['unknown fields', { ...a, colour: 'red', zoo: 1 }, ['[colour zoo]']],
])('accepted: %s', async (_name, body, warnings) => {
  const answer = await app.root.post(`${config}/good`, body)
  expect(answer.status).toBe(warnings ? 200 : 204)
  const texts: string[] = answer.body?.warnings ?? []
  expect(texts).toHaveLength(warnings?.length ?? 0)
  for (const [index, part] of (warnings ?? []).entries()) expect(texts[index]).toContain(part)
})

test('warning: a configuration that stores under the same names as another is reported', async () => {
  await app.root.post(`${config}/one`, a)
  const answer = await app.root.post(`${config}/two`, { ...a, path_prefix: '/p/', interval: 5 })
  expect(answer.body.warnings).toEqual([expect.stringContaining("'one' stores under the same names")])
  expect((await app.root.post(`${config}/two`, { file_prefix: 'two' })).status).toBe(204)
  await app.root.post(`${config}/three`, { ...local, path_prefix: '/opt/./s//', local_max_space: 99_000_000 })
  const fourth = await app.root.post(`${config}/four`, { ...local, path_prefix: '/opt/s', local_max_space: 99_000_000 })
  expect(fourth.body.warnings).toEqual([expect.stringContaining("'three' stores under the same names")])
})

/** What the common Terraform provider sends; each value must read back unchanged, or its key be absent. */
test.each<[string, Record<string, unknown>, string[]]>([
  ['local', { storage_type: 'local', path_prefix: '/opt/d', local_max_space: 4_194_304 }, []],
  [
    'S3',
    {
      storage_type: 'aws-s3',
      path_prefix: 'path/in/bucket',
      aws_s3_bucket: 'my-bucket',
      aws_s3_region: 'us-east-1',
      aws_access_key_id: 'aws-access-key-id',
      aws_secret_access_key: 'aws-secret-access-key',
      aws_session_token: 'aws-session-token',
      aws_s3_enable_kms: true,
      aws_s3_kms_key: 'alias/key',
      autoload_enabled: false,
    },
    ['aws_secret_access_key', 'aws_session_token'],
  ],
  [
    'GCS',
    {
      storage_type: 'google-gcs',
      path_prefix: 'path/in/bucket',
      google_gcs_bucket: 'my-bucket',
      google_service_account_key: '{}',
      google_disable_tls: true,
    },
    ['google_service_account_key'],
  ],
  [
    'Azure',
    {
      storage_type: 'azure-blob',
      path_prefix: 'path/in/bucket',
      azure_container_name: 'c',
      azure_account_name: 'azure-account-name',
      azure_account_key: 'azure-account-key',
      azure_blob_environment: 'azure-env',
      azure_endpoint: 'azure-endpoint',
      azure_auth_mode: 'shared',
    },
    ['azure_account_key'],
  ],
  [
    'Azure by environment',
    {
      storage_type: 'azure-blob',
      path_prefix: 'p',
      azure_container_name: 'c',
      azure_account_name: 'n',
      azure_auth_mode: 'environment',
    },
    [],
  ],
])('vendor dialect: a %s configuration reads back as it was sent, without secrets', async (_name, fields, secrets) => {
  const body = { interval: 7200, retain: 1, file_prefix: 'vendor-snapshot', ...fields }
  const written = await app.root.put(`${config}/tf`, body)
  expect([200, 204]).toContain(written.status)
  const read = (await app.root.get(`${config}/tf`)).body.data
  for (const [name, value] of Object.entries(body)) {
    if (secrets.includes(name)) expect(read).not.toHaveProperty(name)
    else expect(read[name], name).toEqual(value)
  }
  expect(Object.keys(read).filter((name) => name.startsWith('cloud'))).toEqual([])
  await app.root.delete(`${config}/tf`)
})

test('an empty service account key does not count as a secret that is set', async () => {
  await app.root.post(`${config}/g`, { ...b, cloudB_service_account_key: '{}' })
  expect((await app.root.get(`${config}/g`)).body.data.secrets_set).toEqual([])
  await app.root.delete(`${config}/g`)
})

test('dialect: a configuration reads back in the spelling of its last write', async () => {
  await app.root.post(`${config}/d`, a)
  expect((await app.root.get(`${config}/d`)).body.data).toMatchObject({
    storage_type: 'cloudA-store',
    cloudA_bucket: 'b',
  })
  await app.root.post(`${config}/d`, { storage_type: 'aws-s3' })
  expect((await app.root.get(`${config}/d`)).body.data).toMatchObject({ storage_type: 'aws-s3', aws_s3_bucket: 'b' })
  await app.root.post(`${config}/d`, { aws_s3_bucket: 'moved' })
  expect((await app.root.get(`${config}/d`)).body.data).toMatchObject({ aws_s3_bucket: 'moved' })
})

test('field names: are case-insensitive, but one field in two spellings is 400', async () => {
  const { interval, ...rest } = a
  const spelled = await app.root.post(`${config}/spelled`, {
    ...rest,
    INTERVAL: interval,
    Retain: 3,
    clouda_region: 'r',
  })
  expect(spelled.status).toBe(400)
  expect(spelled.body.errors[0]).toContain("'cloudA_region' was sent in two spellings")
  const { cloudA_bucket, ...unnamed } = rest
  const sent = { ...unnamed, INTERVAL: interval, Retain: 3, clouda_bucket: cloudA_bucket }
  expect((await app.root.post(`${config}/spelled`, sent)).status).toBeLessThan(300)
  const { data } = (await app.root.get(`${config}/spelled`)).body
  expect(data).toMatchObject({ interval, retain: 3, cloudA_bucket })
  await app.root.delete(`${config}/spelled`)
})
