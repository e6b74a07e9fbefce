import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { type BannerFacts, renderBanner } from './banner.ts'

const least: BannerFacts = {
  version: '0.1.0',
  address: 'https://127.0.0.1:8200',
  ca_cert: '/d/tls/ca.pem',
  client_cert: '/d/tls/client.pem',
  client_key: '/d/tls/client-key.pem',
  data_dir: '/d',
}
const most: BannerFacts = {
  ...least,
  http_address: 'http://127.0.0.1:8201',
  listeners: ['https://127.0.0.1:8300'],
  root_token: 'hfs.root',
  user_token: 'hfu.user',
  organization: 'demo',
  workspace: 'first',
  cert_role: 'dev',
  snapshot_config: 'hourly',
}

test('banner: shows addresses, tokens and example commands', () => {
  const text = renderBanner(most, false)
  expect(text).toContain('not for production')
  for (const value of [most.address, most.http_address, most.root_token, most.user_token]) expect(text).toContain(value)
  expect(text).toContain('Also       https://127.0.0.1:8300\n')
  expect(text).toContain('Web pages  https://127.0.0.1:8200/app  (sign in with one of the tokens)\n')
  expect(text).toContain('           http://127.0.0.1:8201/app  (the same, for browsers that do not trust our CA)\n')
  expect(text).toContain('Reference  https://127.0.0.1:8200/docs\n')
  expect(text).toContain(`-d '{"name":"dev"}' https://127.0.0.1:8200/v1/auth/cert/login`)
  expect(text).toContain('hostname     = "localhost:8200"')
  expect(text).toContain('export SSL_CERT_FILE=/d/tls/ca.pem')
  expect(text).toContain("env 'TF_TOKEN_localhost:8200=hfu.user' tofu init")
  expect(text).toContain('tofu login localhost:8200')
  expect(text).toContain('HOLDFAST_DATA_DIR=/d npx holdfast snapshot list\n')
  expect(text).toContain('Configuration hourly')
  expect(text).toContain('/d/seal.key')
})

test('banner: the block is for runs if the server executes them, and says how to keep only a state', () => {
  expect(renderBanner(most, false)).toContain('Keep state here')
  const text = renderBanner({ ...most, run_workspace: 'first-run' }, false)
  expect(text).toContain('Plan and apply here')
  expect(text).toContain('workspaces { name = "first-run" }')
  expect(text).toContain('With first as the workspace, your machine plans and applies')
})

test('banner: omits everything that does not exist', () => {
  const text = renderBanner(least, false)
  expect(text).not.toMatch(/undefined|null|Tokens\n|Log in|cloud|Snapshots|HTTP {2}/)
})

test('banner: a path with blanks is quoted for the shell', () => {
  expect(renderBanner({ ...most, ca_cert: "/my dir/it's.pem" }, false)).toContain(`--cacert '/my dir/it'\\''s.pem' \\`)
})

test('banner: the coloured text equals the plain text without its escape codes', () => {
  expect(renderBanner(most, true)).not.toBe(renderBanner(most, false))
  expect(stripVTControlCharacters(renderBanner(most, true))).toBe(renderBanner(most, false))
})
