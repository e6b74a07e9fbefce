import { type ChildProcess, spawn } from 'node:child_process'
import { failure } from '../../kernel/failure.ts'

const maxOutputBytes = 4096

/**
 * Runs a program and returns what it prints. Its error output goes to ours, for the operator to see. The arguments are
 * passed on as they are: for the command line of `seal.key_command`, the program is `sh`.
 */
export function runKeyCommand(command: readonly string[], deadlineMs: number): Promise<string> {
  const [program, ...parameters] = command
  if (program === undefined) return Promise.reject(commandFailure('no-command', 'The seal key command is empty.'))
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const giveUp = (code: string, text: string) => {
    endGroup(child)
    child.stdout.destroy()
    reject(commandFailure(code, text))
  }
  const timer = setTimeout(
    () => giveUp('deadline', `The seal key command took longer than ${deadlineMs} ms.`),
    deadlineMs,
  )
  const chunks: Buffer[] = []
  let length = 0
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxOutputBytes) giveUp('output', `The seal key command printed more than ${maxOutputBytes} bytes.`)
  })
  child.on('error', (cause) =>
    reject(commandFailure('not-started', `The seal key command '${program}' did not start.`, cause)),
  )
  child.on('close', (status, signal) => {
    if (status === 0) resolve(Buffer.concat(chunks).toString('utf8'))
    else reject(commandFailure('failed', `The seal key command ended with ${signal ?? `status ${status}`}.`))
  })
  return promise.finally(() => clearTimeout(timer))
}

/** The command leads a process group, so that what it started ends with it, even after the command itself. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    child.kill('SIGKILL')
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (thrown) {
    // ESRCH: the whole group is gone already.
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')) throw thrown
  }
}

const commandFailure = (code: string, text: string, cause?: unknown): Error =>
  failure('unavailable', `seal.key-command-${code}`, text, { cause })
