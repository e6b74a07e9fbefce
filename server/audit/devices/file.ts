import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ChainHead, LineGroup } from '../../crypto/line-chains/line-chain.ts'
import { makePrivateDirectory } from '../../kernel/directories.ts'
import { Failure, failure, textOf } from '../../kernel/failure.ts'
import { limitConcurrency } from '../../kernel/limit-concurrency.ts'
import { ifAbsent } from '../../kernel/system-errors.ts'
import { readTail } from '../chain-tail.ts'
import { type OwnPlaces, requireSuitablePlace } from './file-places.ts'
import { LineAppender } from './line-appender.ts'
import type { PromptSink } from './sink.ts'

/** A file that records are appended to. Mode 0 leaves the permissions as they are. */
export type FileTarget = { path: string; mode: number }

const appendFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOCTTY | constants.O_NOFOLLOW
const executeBits = 0o111

/** Opens a file device and finds the end of this process's chain in it. */
export async function openFileSink(
  target: FileTarget & { prefix: string },
  { slot, places }: { slot: string; places: OwnPlaces },
): Promise<{ sink: PromptSink; head: ChainHead | undefined }> {
  if ((target.mode & executeBits) !== 0) throw executable(target.path)
  const sink = new FileSink(target, () => requireSuitablePlace(target, places))
  try {
    // Before a directory is made for it.
    await makePrivateDirectory(dirname(await requireSuitablePlace(target, places)))
    await sink.reopen()
    return { sink, head: await sink.resume(slot) }
  } catch (thrown) {
    await sink.close()
    throw notUsable(target.path, 'opened', thrown)
  }
}

/** Each group is one appending write, so that several processes can share the file. */
class FileSink implements PromptSink {
  readonly #target: FileTarget
  /** Links and files may have been exchanged whenever it is opened. */
  readonly #judge: () => Promise<string>
  /** Opening and closing wait for each other: a handle lost in between, closed by the collector, would end the process. */
  readonly #inTurn = limitConcurrency(1)
  #open: Opened | undefined
  #lines = new LineAppender()
  #closed = false

  constructor(target: FileTarget, judge: () => Promise<string>) {
    this.#target = target
    this.#judge = judge
  }

  writeNow(group: LineGroup): void {
    const { path } = this.#target
    if (!this.#open) throw notUsable(path, 'written', 'it is closed')
    try {
      this.#lines.append(this.#open.file.fd, group)
    } catch (cause) {
      throw notUsable(path, 'written', cause)
    }
  }

  /** The new file takes the place of the old one between two writes: a write never waits. */
  reopen(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#closed) return
      const old = this.#open
      this.#open = await openChecked(this.#target, await this.#judge())
      if (!old || !isSameFile(old.found, this.#open.found)) this.#lines = new LineAppender()
      await old?.file.close()
    })
  }

  async resume(slot: string): Promise<ChainHead | undefined> {
    if (!this.#open?.found.isFile()) return undefined
    const reading = await open(this.#target.path, 'r')
    try {
      const { head, torn } = await readTail(reading, slot)
      this.#lines = new LineAppender(torn)
      return head
    } finally {
      await reading.close()
    }
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      const old = this.#open
      this.#closed = true
      this.#open = undefined
      await old?.file.close()
    })
  }
}

/** An open file, and what was found when it was opened. */
type Opened = { file: FileHandle; found: Stats }

const isSameFile = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino

async function openChecked({ path, mode }: FileTarget, real: string): Promise<Opened> {
  // Opening a pipe without a reader would wait for ever, so it is refused before.
  if (await stat(real).then((found) => !isSuitable(found), ifAbsent)) throw notSuitable(path)
  const file = await open(real, appendFlags, mode === 0 ? 0o600 : mode)
  try {
    // A link that took the place of a folder meanwhile has not been judged.
    if ((await realpath(real)) !== real) throw notSuitable(path)
    const found = await file.stat()
    if (!isSuitable(found)) throw notSuitable(path)
    // What is appended to a program runs with it, whatever its mode becomes.
    if (found.isFile() && (found.mode & executeBits) !== 0) throw executable(path)
    if (found.isFile() && mode !== 0) await file.chmod(mode)
    return { file, found }
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

const isSuitable = (found: Stats): boolean => found.isFile() || found.isCharacterDevice()

const executable = (path: string): Failure =>
  failure(
    'invalid',
    'audit.executable',
    `The audit file '${path}' must not be executable; choose another one, or change its mode.`,
  )

const notSuitable = (path: string): Failure =>
  failure(
    'invalid',
    'audit.not-a-file',
    `Records cannot be appended to '${path}': it is neither a file nor a character device.`,
  )

function notUsable(path: string, verb: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  return failure('unavailable', `audit.not-${verb}`, `The audit file '${path}' cannot be ${verb}: ${textOf(cause)}`, {
    cause,
  })
}
