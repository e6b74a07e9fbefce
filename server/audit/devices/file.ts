import { constants, type Stats, writeSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ChainHead, LineGroup } from '../../crypto/line-chains/line-chain.ts'
import { makePrivateDirectory } from '../../kernel/directories.ts'
import { Failure, failure, textOf } from '../../kernel/failure.ts'
import { ifAbsent } from '../../kernel/system-errors.ts'
import { readTail } from '../chain-tail.ts'
import type { PromptSink } from './sink.ts'

/** A file that records are appended to. Mode 0 leaves the permissions as they are. */
export type FileTarget = { path: string; mode: number }

const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOCTTY
const anyExecute = 0o111
const lineFeed = 10

/** Ends a line that was cut off. With it no such line passes for a whole one. */
const tornEnd = Buffer.from(' (torn)\n')

/** Opens a file device and finds the end of this process's chain in it. */
export async function openFileSink(
  target: FileTarget,
  slot: string,
): Promise<{ sink: PromptSink; head: ChainHead | undefined }> {
  if ((target.mode & anyExecute) !== 0) throw executable(target.path)
  const sink = new FileSink(target)
  try {
    await makePrivateDirectory(dirname(target.path))
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
  #file: FileHandle | undefined
  /** The file ends inside a line, which must be ended before the next one. */
  #torn = false

  constructor(target: FileTarget) {
    this.#target = target
  }

  writeNow({ room, length }: LineGroup): void {
    const { path } = this.#target
    if (!this.#file) throw notUsable(path, 'written', 'it is closed')
    let written = 0
    try {
      if (this.#torn) endLine(this.#file.fd)
      this.#torn = false
      while (written < length) written += writeSync(this.#file.fd, room, written, length - written)
    } catch (cause) {
      if (written > 0) this.#torn = room[written - 1] !== lineFeed
      throw notUsable(path, 'written', cause)
    }
  }

  /** The new file takes the place of the old one between two writes: a write never waits. */
  async reopen(): Promise<void> {
    const old = this.#file
    this.#file = await openChecked(this.#target)
    this.#torn = false
    await old?.close()
  }

  async resume(slot: string): Promise<ChainHead | undefined> {
    if (!(await this.#file?.stat())?.isFile()) return undefined
    const reading = await open(this.#target.path, 'r')
    try {
      const { head, torn } = await readTail(reading, slot)
      this.#torn = torn
      return head
    } finally {
      await reading.close()
    }
  }

  async close(): Promise<void> {
    const old = this.#file
    this.#file = undefined
    await old?.close()
  }
}

/** On a full disk the end may fit by half; then the line is ended once more. */
function endLine(file: number): void {
  for (let written = 0; written < tornEnd.length; ) written += writeSync(file, tornEnd, written)
}

async function openChecked({ path, mode }: FileTarget): Promise<FileHandle> {
  // Opening a pipe without a reader would wait for ever, so it is refused before.
  if (await stat(path).then((found) => !isSuitable(found), ifAbsent)) throw notSuitable(path)
  const file = await open(path, appending, mode === 0 ? 0o600 : mode)
  try {
    const found = await file.stat()
    if (!isSuitable(found)) throw notSuitable(path)
    // What is appended to a program runs with it, whatever its mode becomes.
    if (found.isFile() && (found.mode & anyExecute) !== 0) throw executable(path)
    if (found.isFile() && mode !== 0) await file.chmod(mode)
    return file
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

const isSuitable = (found: Stats): boolean => found.isFile() || found.isCharacterDevice()

const executable = (path: string): Failure =>
  failure('invalid', 'audit.executable', `The audit file '${path}' must not be executable.`)

const notSuitable = (path: string): Failure =>
  failure('invalid', 'audit.not-a-file', `'${path}' is no file that records could be appended to.`)

function notUsable(path: string, verb: string, cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  return failure('unavailable', `audit.not-${verb}`, `The audit file '${path}' cannot be ${verb}: ${textOf(cause)}`, {
    cause,
  })
}
