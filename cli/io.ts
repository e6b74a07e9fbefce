import type { Readable } from 'node:stream'

/** A terminal that keys are typed at. */
export type Keyboard = Readable & { setRawMode(isRaw: boolean): unknown }

/** How a command interacts with its environment. Tests pass their own. */
export type Io = {
  /** Writes a result. */
  out(text: string): void
  /** Writes anything that is not the result: progress, warnings, errors. */
  err(text: string): void
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  readonly home: string
  /** All of standard input. */
  readInput(): Promise<string>
  /** Standard input, if it is a terminal. */
  readonly keyboard?: Keyboard
  /** True if a terminal shows what is not the result, so that progress can be drawn. */
  readonly isTerminal: boolean
  /** True if a terminal shows the result. */
  readonly isOutputTerminal: boolean
  /** How wide that terminal is, in characters. */
  readonly columns?: number
}

/** A failure with a message for the user, and its exit code: 1 for the client's side, 2 for the server's. */
export class CliFailure extends Error {
  readonly exitCode: number

  constructor(text: string, exitCode = 1) {
    super(text)
    this.name = 'CliFailure'
    this.exitCode = exitCode
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user is not allowed to',
  EPERM: 'this user is not allowed to',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

/** A text from its bytes. In those of a binary file, what is not UTF-8 would otherwise be replaced silently. */
export function decodeText(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CliFailure(
      `${from} is not text in UTF-8. Binary content is sent as base64: base64 FILE | holdfast write PATH KEY=-`,
    )
  }
}

/** The failure for a file that cannot be read or written. */
export function fileFailure(file: string, what: 'read' | 'written', thrown: unknown): CliFailure {
  const { code = '' } = thrown as NodeJS.ErrnoException
  const why = code === 'ENOENT' && what === 'written' ? 'its folder does not exist' : fileFaults[code]
  return new CliFailure(`The file ${file} cannot be ${what}${why ? `: ${why}` : ''} (${code}).`)
}
