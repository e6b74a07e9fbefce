import { mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { randomIds } from '../../kernel/ids.ts'
import { secret } from '../../kernel/secret.ts'
import { createOutbound } from '../../outbound/fetch.ts'
import { openDevice } from '../device.ts'
import { testRecord } from '../record.ts'

let top: string
let places: { dataDir: string; programDir: string }
beforeEach(async () => {
  top = await realpath(ownFolder())
  places = { dataDir: at('program/data'), programDir: at('program') }
  for (const folder of ['program/server', 'program/data', 'packages/yaml', 'logs', '.ssh']) {
    await mkdir(at(folder), { recursive: true })
  }
  await symlink(at('packages'), at('program/node_modules'))
  await writeFile(at('program/server/main.ts'), 'start()\n')
})

const at = (name: string): string => join(top, name)

async function openAt(name: string, prefix = '') {
  const deps = {
    clock: systemClock,
    ids: randomIds,
    outbound: createOutbound({ clock: systemClock }),
    slot: 'w0',
    version: '0.0.0',
    places,
  }
  const options = { file_path: at(name), prefix }
  const config = { path: 'file/', type: 'file', options, salt: secret(Buffer.alloc(32)) }
  const device = await openDevice(deps, config, { test: false })
  onTestFinished(() => device.close())
  return { ...device, take: () => device.write(testRecord(systemClock.now(), randomIds.uuid())).promise() }
}

describe.each([
  ['without a prefix', ''],
  ['with a prefix', 'run()//'],
])('file places: %s', (_name, prefix) => {
  test.each([
    ['a file of the program', 'program/server/main.ts'],
    ['a new file', 'program/server/new.ts'],
    ['a new file at the top', 'program/audit.log'],
    ['a new directory', 'program/plugins/deep/new.ts'],
    ['a package', 'program/node_modules/yaml/index.js'],
    ['a package by its real path', 'packages/yaml/index.js'],
  ])('%s of the program is refused, and nothing is made', async (_what, name) => {
    await expect(openAt(name, prefix)).rejects.toThrow(
      /is in the directory of the program itself: choose a file outside/,
    )
    expect(await readFile(at('program/server/main.ts'), 'utf8')).toBe('start()\n')
    expect((await readdir(at('program'))).sort()).toEqual(['data', 'node_modules', 'server'])
    expect([await readdir(at('program/server')), await readdir(at('packages/yaml'))]).toEqual([['main.ts'], []])
  })

  test.each([
    ['to a file', 'program/server/main.ts', ''],
    ['to a file that does not exist yet', 'program/server/new.ts', ''],
    ['to a directory', 'program/server', '/deep/new.ts'],
    ['to a directory that does not exist yet', 'program/plugins', '/new.ts'],
  ])('a link %s of the program is refused', async (_what, target, rest) => {
    await symlink(at(target), at('logs/first'))
    await symlink('first', at('logs/second'))
    const refused = expect(openAt(`logs/second${rest}`, prefix)).rejects
    await refused.toThrow(`leads to '${at(target)}${rest}', which is in the directory of the program itself`)
    expect(await readFile(at('program/server/main.ts'), 'utf8')).toBe('start()\n')
    expect(await readdir(at('program/server'))).toEqual(['main.ts'])
  })

  test('links that lead in a circle are refused', async () => {
    await symlink('b', at('logs/a'))
    await symlink('a', at('logs/b'))
    await expect(openAt('logs/a', prefix)).rejects.toThrow(at('logs/a'))
  })

  test('a link from the directory of the program to a log elsewhere is followed', async () => {
    await symlink(at('logs/audit.log'), at('program/audit.log'))
    await (await openAt('program/audit.log', prefix)).take()
    expect(await readFile(at('logs/audit.log'), 'utf8')).toContain('{"time":"')
  })

  test('a log in a data directory inside the directory of the program works, now and after a restart', async () => {
    for (let start = 0; start < 2; start++) {
      const device = await openAt('program/data/audit.log', prefix)
      await device.take()
      await device.close()
    }
    expect((await readFile(at('program/data/audit.log'), 'utf8')).trim().split('\n')).toHaveLength(2)
  })

  test('rotating the log by moving it away or by emptying it works', async () => {
    const device = await openAt('logs/audit.log', prefix)
    await device.take()
    await rename(at('logs/audit.log'), at('logs/audit.log.1'))
    await device.reopen()
    await device.take()
    await writeFile(at('logs/audit.log'), '')
    await device.reopen()
    await device.take()
    expect(await readFile(at('logs/audit.log'), 'utf8')).toMatch(/^(run\(\)\/\/)?\{"time":".*\n$/)
  })

  test('a link that leads to the program by now is refused when the file is opened anew', async () => {
    const device = await openAt('logs/audit.log', prefix)
    await rm(at('logs/audit.log'))
    await symlink(at('program/server/main.ts'), at('logs/audit.log'))
    await expect(device.reopen()).rejects.toThrow('the directory of the program itself')
  })
})

test('file places: if the data directory surrounds the program, the program is refused nevertheless', async () => {
  places = { ...places, dataDir: top }
  await expect(openAt('program/server/new.ts')).rejects.toThrow('the directory of the program itself')
  places = { ...places, dataDir: places.programDir }
  await expect(openAt('program/server/new.ts')).rejects.toThrow('the directory of the program itself')
})

test('file places: with a prefix, a link to a hidden directory is refused', async () => {
  await symlink(at('.ssh'), at('vis'))
  await expect(openAt('vis/authorized_keys', 'ssh-ed25519 AAAA ')).rejects.toThrow('where other programs would read it')
  expect(await readdir(at('.ssh'))).toEqual([])
  await (await openAt('vis/audit.log')).take()
})

test('file places: with a prefix, a file that began with something else is refused, even if it ends with records', async () => {
  await writeFile(at('logs/jobs'), '\n@daily backup\n')
  const plain = await openAt('logs/jobs')
  await plain.take()
  await plain.close()
  const before = await readFile(at('logs/jobs'), 'utf8')
  await expect(openAt('logs/jobs', '@daily id #')).rejects.toThrow(
    /begins with something else: choose another file, move/,
  )
  expect(await readFile(at('logs/jobs'), 'utf8')).toBe(before)
})

test('file places: records with a prefix of any length are recognized', async () => {
  for (const prefix of ['@cee: ', 'long '.repeat(2000), '']) {
    const device = await openAt('logs/audit.log', prefix)
    await device.take()
    await device.close()
  }
})
