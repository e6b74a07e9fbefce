import { spawn } from 'node:child_process'
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/folders.ts'
import {
  bytesOf,
  destinationDeps,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../test/support/snapshot-content.ts'
import { failure } from '../../../kernel/failure.ts'
import { localDestination } from './local-adapter.ts'

/** A disk of this size with nothing on it but what is in the directory itself. */
const diskOf = (bytes: number) => async (path: string) =>
  readdirSync(path).reduce((left, entry) => left - statSync(join(path, entry)).size, bytes)

const program = join(import.meta.dirname, '../../../../test/support/programs/local-put-program.ts')
const name = 'f-1603898241699731000.snap'
const megabyte = 1024 * 1024

let directory: string
beforeEach(() => {
  directory = temporaryFolder()
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const open = (space = 10 ** 9, pathPrefix = directory) =>
  localDestination(
    destinationDeps,
    snapshotConfiguration({ type: 'local', pathPrefix, settings: { local_max_space: space } }),
  )

/** Runs the program to its end, or kills it as soon as it prints the word; returns what it printed. */
async function runUntil(command: string, args: string[], word: string | undefined): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let said = ''
  for await (const piece of child.stdout) {
    said += String(piece)
    if (word !== undefined && said.includes(word)) child.kill('SIGKILL')
  }
  await ended
  return said
}

test.each(['half', 'confirm'])(
  'local: killed at %s, only a temporary file is left, and a later run removes it',
  async (stall) => {
    await runUntil(process.execPath, [program, directory, String(megabyte), stall], stall)
    const left = await readdir(directory)
    expect(left).toEqual([expect.stringMatching(/^\.f-1603898241699731000\.snap\.tmp-[0-9a-f]{8}$/)])
    const later = {
      ...destinationDeps,
      clock: { ...destinationDeps.clock, now: () => (Date.now() + 7_200_000) as never },
    }
    const settings = { local_max_space: 10 ** 9 }
    const next = localDestination(later, snapshotConfiguration({ type: 'local', pathPrefix: directory, settings }))
    await next.put(name, snapshotContent(10), unwatched())
    expect(await readdir(directory)).toEqual([name])
  },
)

test('local: a full disk is reported as insufficient space and leaves no file behind', async () => {
  // Limits files of this process to 64 blocks and ignores SIGXFSZ, so that writes fail as on a full disk.
  const limited = `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`
  const said = await runUntil(
    'bash',
    ['-c', limited, process.execPath, program, directory, String(megabyte)],
    undefined,
  )
  expect(said).toBe('failed: insufficient space: no space left on the device\n')
  expect(await readdir(directory)).toEqual([])
})

test('local: the disk needs room for the snapshot once, and is asked before anything is written', async () => {
  const configuration = snapshotConfiguration({
    type: 'local',
    pathPrefix: directory,
    settings: { local_max_space: 10 ** 9 },
  })
  const onSmallDisk = localDestination({ ...destinationDeps, freeSpace: diskOf(1_500) }, configuration)
  await onSmallDisk.put(name, snapshotContent(1_000), unwatched())
  await expect(onSmallDisk.put('f-1603898241699731001.snap', snapshotContent(501), unwatched())).rejects.toThrow(
    'insufficient space: 501 bytes needed, the file system has 500 bytes free',
  )
  expect(await readdir(directory)).toEqual([name])
})

test('local: a run that has lost its lease leaves no file behind', async () => {
  const confirm = async () => Promise.reject(failure('conflict', 'x', 'another run has taken over'))
  await expect(open().put(name, snapshotContent(10), { ...unwatched(), confirm })).rejects.toThrow('taken over')
  expect(await readdir(directory)).toEqual([])
})

test('local: local_max_space is checked again after another process has filled it', async () => {
  await open(1_500).put(name, snapshotContent(1_000), unwatched())
  const slow = snapshotContent(400)
  const filling = {
    ...slow,
    lend: () => {
      writeFileSync(join(directory, 'f-1603898241699731002.snap'), Buffer.alloc(300))
      return slow.lend()
    },
  }
  await expect(open(1_500).put('f-1603898241699731001.snap', filling, unwatched())).rejects.toThrow(
    'insufficient space: 1300 bytes used + 400 bytes needed exceeds local_max_space of 1500',
  )
  expect((await readdir(directory)).sort()).toEqual([name, 'f-1603898241699731002.snap'])
})

test('local: put never overwrites a file; get does not follow, delete does not remove links', async () => {
  await writeFile(join(directory, name), 'first')
  await expect(open().put(name, snapshotContent(10), unwatched())).rejects.toThrow('exists already')
  expect(await readFile(join(directory, name), 'utf8')).toBe('first')
  const target = join(directory, 'target')
  await writeFile(target, 'secret')
  const link = 'f-1603898241699731009.snap'
  await symlink(target, join(directory, link))
  await expect(open().get(link, unwatched().signal)).rejects.toMatchObject({ code: 'ELOOP' })
  await expect(open().put(link, snapshotContent(10), unwatched())).rejects.toThrow('exists already')
  const folder = 'f-1603898241699731010.snap'
  await mkdir(join(directory, folder))
  await open().delete(link, unwatched().signal)
  await open().delete(folder, unwatched().signal)
  expect((await lstat(join(directory, folder))).isDirectory()).toBe(true)
  expect((await lstat(join(directory, link))).isSymbolicLink()).toBe(true)
  expect(await readFile(target, 'utf8')).toBe('secret')
})

test('local: content that does not match its checksum is refused', async () => {
  const content = snapshotContent(1000)
  const wrong = { ...content, lend: snapshotContent(1000).lend }
  await expect(open().put(name, wrong, unwatched())).rejects.toThrow('checksum mismatch')
  expect(await readdir(directory)).toEqual([])
})

test('local: the directory is created with mode 0700, and a stored snapshot is read back unchanged', async () => {
  const deep = join(directory, 'a', 'b with space')
  const content = snapshotContent(3 * megabyte)
  const destination = open(10 ** 9, `${deep}/`)
  await destination.put(name, content, unwatched())
  expect((await lstat(deep)).mode & 0o777).toBe(0o700)
  expect((await bytesOf(await destination.get(name, unwatched().signal))).equals(content.bytes)).toBe(true)
  expect(destination.urlOf(name)).toBe(`file://${directory}/a/b%20with%20space/${name}`)
  await destination.delete(name, unwatched().signal)
  await destination.delete(name, unwatched().signal)
  expect(await readdir(deep)).toEqual([])
})

test.skipIf(process.getuid?.() === 0)(
  'local: a directory without write permission is named in the error (skipped for root)',
  async () => {
    await mkdir(join(directory, 'closed'))
    await chmod(join(directory, 'closed'), 0o500)
    const deep = join(directory, 'closed', 'x')
    await expect(open(10 ** 9, deep).put(name, snapshotContent(10), unwatched())).rejects.toThrow(
      `permission denied creating ${deep}`,
    )
  },
)

test('local: a link into a file system where no directory can be created rejects', async () => {
  await symlink('/proc', join(directory, 'link'))
  const inside = open(10 ** 9, join(directory, 'link', 'holdfast'))
  await expect(inside.put(name, snapshotContent(10), unwatched())).rejects.toThrow()
})

test('local: links to other directories are followed, links into system directories are refused', async () => {
  await symlink(join(directory, 'disk'), join(directory, 'backups'))
  await mkdir(join(directory, 'disk'))
  await open(10 ** 9, join(directory, 'backups', 'new')).put(name, snapshotContent(10), unwatched())
  expect(await readdir(join(directory, 'disk', 'new'))).toEqual([name])
  await symlink('/sys', join(directory, 'system'))
  await symlink('/', join(directory, 'root'))
  for (const place of ['system', 'system/holdfast/new', 'root', 'root/sys/holdfast']) {
    const there = open(10 ** 9, join(directory, place))
    await expect(there.put(name, snapshotContent(10), unwatched()), place).rejects.toMatchObject({
      code: 'snapshot.system-directory',
    })
  }
})

test('local: a link to a system directory that does not exist yet is refused, and nothing of it is read', async () => {
  await symlink('/sys/holdfast', join(directory, 'dangling'))
  await symlink('/sys', join(directory, 'system'))
  const refused = { code: 'snapshot.system-directory' }
  const dangling = open(10 ** 9, join(directory, 'dangling', 'new'))
  await expect(dangling.put(name, snapshotContent(10), unwatched())).rejects.toMatchObject(refused)
  const system = open(10 ** 9, join(directory, 'system'))
  await expect(system.get(name, unwatched().signal)).rejects.toMatchObject(refused)
  await expect(system.delete(name, unwatched().signal)).rejects.toMatchObject(refused)
  await expect(Array.fromAsync(system.list('f-', unwatched().signal))).rejects.toMatchObject(refused)
})

test('local: a link that leads elsewhere while a snapshot is written does not take it along', async () => {
  for (const folder of ['disk', 'other']) await mkdir(join(directory, folder))
  await symlink(join(directory, 'disk'), join(directory, 'backups'))
  const content = snapshotContent(10)
  const swapped = {
    ...content,
    lend: () => {
      rmSync(join(directory, 'backups'))
      symlinkSync(join(directory, 'other'), join(directory, 'backups'))
      return content.lend()
    },
  }
  await open(10 ** 9, join(directory, 'backups')).put(name, swapped, unwatched())
  expect([await readdir(join(directory, 'disk')), await readdir(join(directory, 'other'))]).toEqual([[name], []])
})
