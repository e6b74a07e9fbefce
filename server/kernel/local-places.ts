import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { followLinks, isBelow, isSystemDirectory } from './directories.ts'
import { Failure } from './failure.ts'
import { ifAbsent } from './system-errors.ts'

/** Where this server may write files that callers name, and where it lies itself. */
export type LocalPlaces = {
  readonly mode: 'dev' | 'server'
  /** The roots of the setting `local_paths.allow`. */
  readonly allowedRoots: readonly string[]
  readonly dataDir: string
  readonly programDir: string
}

/** Closed in both modes: here lie the files of people, of other programs and of the system. */
const closedTrees = ['/root', '/home', '/Users', '/var/spool', '/etc', '/dev', '/proc', '/sys', '/boot'] as const

/** Memory for the files of everybody, although it is below /dev. */
const sharedMemory = '/dev/shm'

/** Files and folders in the data directory that are the server's own. */
const ownNames =
  /^(?:seal\.key|tls|spool|dev(?:-state)?\.json|last-start\.json|store\.json|holdfast\.db)(?:\..*)?$|-(?:wal|shm|journal)$/

/**
 * Why nothing new may be written to a path that a caller names; undefined if it may. Links are followed first, also to
 * what does not exist yet. What else is wrong with a path shows when it is written to.
 */
export async function placeProblem(path: string, places: LocalPlaces): Promise<string | undefined> {
  const real = await followLinks(path).catch((thrown: unknown) => (thrown instanceof Failure ? thrown : path))
  if (real instanceof Failure) return withoutEnd(real.message)
  const dataDir = await followLinks(places.dataDir)
  if (isOwn(dataDir, real)) return `'${path}' is a file of the server itself: choose another one`
  const problem = contains(dataDir, real) ? undefined : await judge(real, places)
  if (problem === undefined) return undefined
  return `'${path}'${real === path ? '' : ` leads to '${real}', and that`} ${problem}. ${advice(places)}`
}

const withoutEnd = (text: string): string => text.replace(/\.$/, '')

async function judge(real: string, places: LocalPlaces): Promise<string | undefined> {
  if (real === '/') return 'is the root directory'
  const closed = await closedTreeOf(real, places)
  const roots = await existingRoots(places)
  const root = roots.find((each) => contains(each, real) && (closed === undefined || contains(closed, each)))
  if (root !== undefined) return undefined
  if (closed !== undefined) return `lies in ${closed}, which is closed`
  return places.mode === 'dev' ? undefined : 'lies outside of the folders that are open'
}

function isOwn(dataDir: string, real: string): boolean {
  if (!isBelow(dataDir, real)) return false
  const parent = dirname(real)
  return parent === dataDir ? ownNames.test(basename(real)) : isOwn(dataDir, parent)
}

/** Packages may be somewhere else, with a link in their place; so may any folder of the system. */
async function closedTreeOf(real: string, { programDir }: LocalPlaces): Promise<string | undefined> {
  for (const tree of [programDir, join(programDir, 'node_modules'), ...closedTrees]) {
    const isShared = tree === '/dev' && isBelow(sharedMemory, real)
    if (contains(await followLinks(tree), real) && !isShared) return tree
  }
  return isSystemDirectory(real) ? `/${real.split('/')[1]}` : undefined
}

/** Folders are created below a root, never the root itself: a disk that is not mounted must not be taken for one. */
async function existingRoots({ allowedRoots }: LocalPlaces): Promise<string[]> {
  const found = allowedRoots.map(async (root) => ((await stat(root).catch(ifAbsent)) ? [await followLinks(root)] : []))
  return (await Promise.all(found)).flat()
}

/** Whether a path is in a folder that the setting names inside of a closed one. */
export async function isNamedIn(tree: string, real: string, allowedRoots: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(allowedRoots.map((root) => followLinks(root)))
  return roots.some((root) => contains(tree, root) && contains(root, real))
}

const contains = (tree: string, path: string): boolean => tree === path || isBelow(tree, path)

function advice({ mode, allowedRoots }: LocalPlaces): string {
  const roots = allowedRoots.length > 0 ? `a folder below ${allowedRoots.join(', ')}` : 'another folder'
  const which = mode === 'dev' && allowedRoots.length > 0 ? `another folder, ${roots}` : roots
  return `Choose ${which} or the data directory, or add a root to the setting local_paths.allow`
}
