import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { headCommit } from '../server/version.ts'

const ROOT = join(import.meta.dirname, '..')

/** There is one program folder, wherever the code was compiled to. */
const ownRoot = "export * from '../../../scripts/setup/root.mjs'\n"

/** Compiles what a package contains to `dist`, since Node strips no types in `node_modules`. */
function main(): number {
  const to = (...path: string[]): string => join(ROOT, 'dist', ...path)
  rmSync(to(), { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc')
  const { status } = spawnSync(compiler, ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) return status ?? 1
  const read = ['server/**/*.{css,sql}', 'web/src/kit/tokens.css']
  for (const file of globSync(read, { cwd: ROOT })) cpSync(join(ROOT, file), to(file))
  // What the build notes for itself stays here: it names folders of this machine.
  const isNote = (file: string) => /^(\.vite|built-from)$/.test(basename(file))
  cpSync(join(ROOT, 'web', 'dist'), to('web', 'dist'), { recursive: true, filter: (file) => !isNote(file) })
  writeFileSync(to('scripts', 'setup', 'root.mjs'), ownRoot)
  const packageFile = JSON.parse(readFileSync(to('package.json'), 'utf8'))
  // Where it is unknown, it is empty: a package must not take the commit of the folder that it is installed in.
  writeFileSync(to('package.json'), `${JSON.stringify({ ...packageFile, gitHead: headCommit() ?? '' }, null, 2)}\n`)
  return 0
}

process.exitCode = main()
