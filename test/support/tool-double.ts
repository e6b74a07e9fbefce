import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, 'programs', 'tool-double.sh')

/** Makes a folder for PATH in which `tofu` is the double of a tool, which says that it is of this version. */
export function toolDouble(folder: string, version: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true, mode: 0o755 })
  const file = join(bin, 'tofu')
  writeFileSync(file, readFileSync(source, 'utf8').replace('@version@', version))
  chmodSync(file, 0o755)
  return bin
}
