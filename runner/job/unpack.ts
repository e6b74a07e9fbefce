import { createReadStream } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser } from 'tar/parse'
import type { ReadEntry } from 'tar/read-entry'
import { Unpack } from 'tar/unpack'
import { addEntry, archiveLimits, emptyTree, treeFault } from '../../server/kernel/archive-tree.ts'
import { PhaseFailure, textOf } from './failure.ts'

/** The beginning of the names of files that the runner adds to a configuration. */
export const overridePrefix = 'zz_holdfast_'

/** True for what an archive may bring along but a run must not see: state, plugins, and files with names of ours. */
export function isLeftOut(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const hidden = segments.indexOf('.terraform')
  const isState = segments.some((segment) => segment.startsWith('terraform.tfstate'))
  const isOurs = segments.at(-1)?.startsWith(overridePrefix) === true
  return isState || isOurs || (hidden >= 0 && segments[hidden + 1] !== 'modules')
}

type Link = { readonly path: string; readonly target: string }

/** Writes the configuration of a run into an empty folder. The server has checked it; this trusts nobody. */
export async function unpack(archive: string, folder: string): Promise<void> {
  const links = await checkArchive(archive)
  const linked = new Set(links.map(({ path }) => path))
  const writer = new Unpack({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    noMtime: true,
    fmode: 0o600,
    dmode: 0o700,
    processUmask: 0o022,
    maxDepth: archiveLimits.depth,
    // Links come last, so that nothing is ever written through one.
    filter: (path, entry) => !('linkpath' in entry && isLink(entry)) && !linked.has(cleaned(path)) && !isLeftOut(path),
  })
  await pipeline(createReadStream(archive), createGunzip(), writer)
  for (const { path, target } of links) {
    if (isLeftOut(path)) continue
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await rm(file, { recursive: true, force: true })
    await symlink(target, file)
  }
}

const isLink = (entry: { type?: unknown }): boolean => entry.type === 'SymbolicLink'

const cleaned = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')

/** Reads all of an archive, and returns its links; refuses it by the rules by which the server does. */
async function checkArchive(archive: string): Promise<Link[]> {
  const tree = emptyTree()
  const links = new Map<string, string>()
  let fault: string | undefined
  let unpacked = 0
  const parser = new Parser({ strict: true, brotli: false, zstd: false })
  parser.on('entry', (entry: ReadEntry) => {
    entry.resume()
    fault ??= addEntry(tree, entry)?.text
    links.delete(cleaned(entry.path))
    if (isLink(entry)) links.set(cleaned(entry.path), entry.linkpath ?? '')
  })
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    fault ??= addEntry(tree, entry)?.text
  })
  try {
    for await (const bytes of createReadStream(archive).pipe(createGunzip())) {
      unpacked += (bytes as Buffer).length
      if (unpacked > archiveLimits.unpackedBytes) fault ??= 'The archive unpacks to too much.'
      if (fault) break
      parser.write(bytes as Buffer)
    }
  } catch (error) {
    fault ??= textOf(error)
  }
  fault ??= treeFault(tree)?.text
  if (fault) throw new PhaseFailure('configuration-invalid-archive', fault)
  return [...links].map(([path, target]) => ({ path, target }))
}
