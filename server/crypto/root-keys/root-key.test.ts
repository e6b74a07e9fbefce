import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { randomIds } from '../../kernel/ids.ts'
import { secret } from '../../kernel/secret.ts'
import { recoverRootKey, wrapForRecovery } from './recovery-key.ts'
import { loadRootKey } from './root-key.ts'

let directory: string
let path: string
const deps = { ids: randomIds }
const fresh = { initialised: false }
const used = { initialised: true }

beforeEach(async () => {
  directory = ownFolder()
  path = join(directory, 'seal.key')
})

const fromFile = (store = used) => loadRootKey(deps, { kind: 'file', path }, store)
const fromCommand = (script: string, deadlineMs = 5000) =>
  loadRootKey(deps, { kind: 'command', command: ['/bin/sh', '-c', script], deadlineMs }, used)

test('key file: is created for a new store with mode 0600 and read again later', async () => {
  const key = (await fromFile(fresh)).reveal()
  expect(key).toHaveLength(32)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(directory)).toEqual(['seal.key'])
  expect((await fromFile()).reveal()).toEqual(key)
})

test('key file: if missing for an initialised store, it is not created and the error names the path', async () => {
  const attempt = fromFile(used)
  await expect(attempt).rejects.toMatchObject({ code: 'seal.root-key-missing' })
  await expect(attempt).rejects.toThrow(path)
  await expect(attempt).rejects.toThrow('Copy the file from another node of this store or from your backup')
  expect(await readdir(directory)).toEqual([])
})

test('key file: concurrent creations end with one key', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => fromFile(fresh)))
  const first = await readFile(path, 'utf8')
  for (const key of keys) expect(key.reveal().toString('base64')).toBe(first.trim())
  expect(await readdir(directory)).toEqual(['seal.key'])
})

test('key file: one readable by others is refused, one readable by the group is not', async () => {
  await fromFile(fresh)
  await chmod(path, 0o604)
  await expect(fromFile()).rejects.toMatchObject({ code: 'seal.root-key-exposed' })
  await chmod(path, 0o440)
  expect((await fromFile()).reveal()).toHaveLength(32)
})

test('key file: a directory is reported as one, whatever its mode', async () => {
  await mkdir(path, { mode: 0o755 })
  await expect(fromFile(fresh)).rejects.toThrow(`'${path}' is a directory. Name a file in it with seal.key_file.`)
})

test('key file: an empty one is refused and left alone', async () => {
  await writeFile(path, '', { mode: 0o600 })
  await expect(fromFile(fresh)).rejects.toMatchObject({ code: 'seal.root-key-malformed' })
  expect(await readFile(path, 'utf8')).toBe('')
})

test('key file: if its directory is missing, the error names the file', async () => {
  path = join(directory, 'nowhere', 'seal.key')
  await expect(fromFile(fresh)).rejects.toThrow(`'${path}' cannot be created`)
})

test('key value: hex and base64 are read, and an invalid value is not repeated in the error', async () => {
  const key = randomIds.bytes(32)
  const load = (text: string) =>
    loadRootKey(deps, { kind: 'value', name: 'HOLDFAST_SEAL_KEY', value: secret(text) }, used)
  expect((await load(key.toString('hex'))).reveal()).toEqual(key)
  expect((await load(` ${key.toString('base64')}\n`)).reveal()).toEqual(key)
  expect((await load(key.toString('base64url'))).reveal()).toEqual(key)
  await expect(load('hunter2')).rejects.toThrow(/HOLDFAST_SEAL_KEY(?!.*hunter2)/)
})

test('key command: its output is the key', async () => {
  const key = randomIds.bytes(32)
  expect((await fromCommand(`echo ${key.toString('base64')}`)).reveal()).toEqual(key)
})

test.each([
  ['a failing status', 'exit 3', 'seal.key-command-failed'],
  ['no key', 'echo hello', 'seal.root-key-malformed'],
  ['too much output', 'yes', 'seal.key-command-output'],
  ['no end', 'sleep 30', 'seal.key-command-deadline'],
  ['a child that outlives it', 'sleep 30 & exit 0', 'seal.key-command-deadline'],
])('key command: %s is refused', async (_name, script, code) => {
  await expect(fromCommand(script, script === 'yes' ? 5000 : 90)).rejects.toMatchObject({ code })
})

test('key command: if the program does not exist, the error names it', async () => {
  const source = { kind: 'command', command: ['/no/such/program'], deadlineMs: 1000 } as const
  await expect(loadRootKey(deps, source, used)).rejects.toThrow('/no/such/program')
})

test('recovery: only its own key recovers the root key, and damage gives another error', () => {
  const rootKey = secret(randomIds.bytes(32))
  const { recoveryKey, wrapped } = wrapForRecovery(randomIds, rootKey)
  expect(recoverRootKey(wrapped, recoveryKey).reveal()).toEqual(rootKey.reveal())
  expect(() => recoverRootKey(wrapped, secret(randomIds.bytes(32)))).toThrow('not the recovery key')
  wrapped.writeUInt8(wrapped.readUInt8(60) ^ 1, 60)
  expect(() => recoverRootKey(wrapped, recoveryKey)).toThrow('damaged')
})
