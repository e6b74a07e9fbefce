import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join, relative, sep } from 'node:path'
import { ensureInstalled, withSetupLock } from './install.mjs'
import { run } from './launch.mjs'
import { SetupProblem } from './problem.mjs'
import { ROOT } from './root.mjs'

const BUILT = join(ROOT, 'web', 'dist')
const NEXT = join(ROOT, 'web', 'dist.next')

/** Says of what the pages were built. */
const STAMP = 'built-from'

/** Everything that the pages are made of. */
const SOURCES = ['web/index.html', 'web/vite.config.ts', 'web/src', 'web/public', 'api-client', 'package-lock.json']

/**
 * Builds the web UI, unless what is there was made of the same files.
 * @type {(node: string) => Promise<void>}
 */
export const buildUi = async (node) => {
  if (isBuilt()) return
  await ensureInstalled('full')
  await withSetupLock('Another start builds the web UI; waiting for it.', async () => {
    if (isBuilt()) return
    const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
    fs.rmSync(NEXT, { recursive: true, force: true })
    const args = [vite, 'build', join(ROOT, 'web'), '--outDir', NEXT, '--logLevel', 'warn']
    // Tests set another one, with which React takes twice the room.
    const env = { ...process.env, NODE_ENV: 'production' }
    const { code } = await run(node, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] })
    if (code !== 0) throw new SetupProblem('The web UI could not be built; above is why.')
    fs.writeFileSync(join(NEXT, STAMP), digest())
    fs.rmSync(BUILT, { recursive: true, force: true })
    fs.renameSync(NEXT, BUILT)
  })
}

/**
 * Builds the web UI in a process of its own that takes only what nobody else needs; it ends with this one.
 * @type {() => void}
 */
export const buildUiBeside = () => {
  if (isBuilt()) return
  console.error('The web UI is being built beside the server; its pages are there in a minute or two.')
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'run.mjs'), 'ui'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr?.on('data', (data) => {
    told += data
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  child.once('exit', (code) => {
    if (code === 0) console.error('The web UI is ready.')
    else if (code !== null) console.error(`The web UI could not be built. Try \`npm run ui\`.\n${told}`)
  })
  process.once('exit', () => child.kill())
}

const isBuilt = () => {
  const file = join(BUILT, STAMP)
  return fs.existsSync(file) && fs.readFileSync(file, 'utf8') === digest()
}

/** What the sources are now. */
const digest = () => {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesBelow(join(ROOT, source))).sort())
    hash.update(`${relative(ROOT, file).split(sep).join('/')}\n`).update(fs.readFileSync(file))
  return hash.digest('hex')
}

/** @type {(path: string) => string[]} */
const filesBelow = (path) => {
  if (!fs.statSync(path).isDirectory()) return [path]
  return fs.readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
}
