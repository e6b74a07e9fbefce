import { vi } from 'vitest'
import { runCommand } from '../../server/process/commands.ts'
import type { CommandResult } from './command-line.ts'

/**
 * Runs a command of the server program in this process, where a process of its own would take half a second. It sees
 * these variables, and no setting of whoever runs the tests.
 */
export async function runServerCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const texts = { out: '', err: '' }
  const keepIn = (name: 'out' | 'err') => (piece: string | Uint8Array) => {
    texts[name] += String(piece)
    return true
  }
  for (const name of Object.keys(process.env).filter((each) => each.startsWith('HOLDFAST_')))
    vi.stubEnv(name, undefined)
  for (const [name, text] of Object.entries(environment)) vi.stubEnv(name, text)
  const outputs = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keepIn('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keepIn('err')),
  ]
  const listeners = [process.stdout, process.stderr].map((stream) => ({ stream, before: stream.listeners('error') }))
  try {
    return { code: await runCommand(args), ...texts }
  } finally {
    for (const output of outputs) output.mockRestore()
    for (const { stream, before } of listeners) {
      const added = stream.listeners('error').filter((each) => !before.includes(each))
      for (const each of added) stream.off('error', each as () => void)
    }
    vi.unstubAllEnvs()
  }
}
