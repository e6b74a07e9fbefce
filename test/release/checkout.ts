import { execFileSync } from 'node:child_process'
import { constants, copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../../scripts/setup/root.mjs'

/** Copies what belongs to the repository into a folder, as it is now. The installed packages are the same ones. */
export function copyCheckout(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 ** 2,
  })
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file), constants.COPYFILE_FICLONE)
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}
