import { readFileSync } from 'node:fs'
import type { Log } from '../kernel/log.ts'

/** The configuration file, and what it contained when the server was started. */
type StartedWith = { readonly file: string | undefined; readonly text: string | undefined }

/** Says that a changed file needs a restart: a reload does not read settings, and looks as if it did. */
export function warnOfChangedConfig({ file, text }: StartedWith, log: Log): void {
  if (file === undefined || text === undefined || textIn(file) === text) return
  log.warn({ file }, 'the configuration file has changed since the start; its settings need a restart')
}

/** A file that cannot be read has changed as well. */
function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
