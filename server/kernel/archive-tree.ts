/** What an archive of a configuration may hold. */
export const archiveLimits = {
  packedBytes: 100 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  /** Unpacked bytes for each packed one, once there are `ratioFromBytes`: padding alone compresses further. */
  ratio: 200,
  ratioFromBytes: 10 * 1024 * 1024,
  /** Entries together with the directories that their names imply. */
  entries: 100_000,
  depth: 64,
  pathBytes: 4_096,
  segmentBytes: 255,
  /** Segments of the target of a link. */
  targetSegments: 128,
  /** Bytes of the targets of all links. */
  targetBytes: 4 * 1024 * 1024,
} as const

/** What an entry of an archive says of itself; types are those of `tar`. */
export type ArchiveEntry = { readonly type: string; readonly path: string; readonly linkpath?: string | undefined }

/** Why an archive is refused. */
export type ArchiveFault = { readonly text: string }

type Node = {
  readonly name: string
  readonly parent: Node | undefined
  kind: 'nothing' | 'directory' | 'file' | 'link'
  children?: Map<string, Node>
  target?: string
  /** Where a link leads; `resolving` while that is found out. */
  leadsTo?: Node | 'resolving'
}

/** The names in an archive as a tree, in which later entries replace earlier ones. */
export type ArchiveTree = { readonly root: Node; nodes: number; targetBytes: number; fileCount: number }

/** A tree without any names. */
export const emptyTree = (): ArchiveTree => ({
  root: { name: '', parent: undefined, kind: 'directory' },
  nodes: 0,
  targetBytes: 0,
  fileCount: 0,
})

const kinds: Readonly<Record<string, Exclude<Node['kind'], 'nothing'>>> = {
  File: 'file',
  OldFile: 'file',
  Directory: 'directory',
  SymbolicLink: 'link',
}

/** Adds the next entry; a fault if the archive is refused because of it. */
export function addEntry(tree: ArchiveTree, entry: ArchiveEntry): ArchiveFault | undefined {
  const kind = kinds[entry.type]
  const about = (text: string) => refused(entry.path, text)
  if (!kind) return about(`is a ${entry.type}; only files, directories and symbolic links are taken`)
  const segments = segmentsOf(entry.path)
  const why = pathFault(entry.path, segments)
  if (why !== undefined) return about(why)
  const node = nodeAt(tree, segments)
  if (!node) return { text: `The archive has more than ${archiveLimits.entries} files, directories and links.` }
  if (node === tree.root) return kind === 'directory' ? undefined : about('has no name')
  if (node.kind === 'file') tree.fileCount--
  if (kind === 'file') tree.fileCount++
  node.kind = kind
  return kind === 'link' ? addTarget(tree, node, entry) : undefined
}

/** Segments of a path from the root; a slash in front and `.` mean nothing. */
const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== '.')

function pathFault(path: string, segments: readonly string[]): string | undefined {
  if (path.includes('\0')) return 'has a name with a NUL'
  if (Buffer.byteLength(path) > archiveLimits.pathBytes) return `has a name of over ${archiveLimits.pathBytes} bytes`
  if (segments.includes('..')) return 'has `..` in its name'
  if (segments.length > archiveLimits.depth) return `lies deeper than ${archiveLimits.depth} directories`
  const isLong = segments.some((segment) => Buffer.byteLength(segment) > archiveLimits.segmentBytes)
  return isLong ? `has a name with a part of over ${archiveLimits.segmentBytes} bytes` : undefined
}

/** The node at a path, which is made if it is new; undefined once there would be too many. */
function nodeAt(tree: ArchiveTree, segments: readonly string[]): Node | undefined {
  let node = tree.root
  for (const name of segments) {
    const next = node.children?.get(name) ?? newChild(tree, node, name)
    if (!next) return undefined
    if (node !== tree.root && node.kind === 'nothing') node.kind = 'directory'
    node = next
  }
  return node
}

function newChild(tree: ArchiveTree, parent: Node, name: string): Node | undefined {
  if (tree.nodes >= archiveLimits.entries) return undefined
  tree.nodes++
  const child: Node = { name, parent, kind: 'nothing' }
  parent.children ??= new Map()
  parent.children.set(name, child)
  return child
}

function addTarget(tree: ArchiveTree, node: Node, { path, linkpath = '' }: ArchiveEntry): ArchiveFault | undefined {
  if (linkpath.startsWith('/'))
    return refused(path, `is a link to '${shown(linkpath)}', which is outside of the archive`)
  if (linkpath.includes('\0')) return refused(path, 'is a link to a name with a NUL')
  if (linkpath.split('/').length > archiveLimits.targetSegments || linkpath.length > archiveLimits.pathBytes) {
    return refused(path, 'is a link to a name that is too long')
  }
  tree.targetBytes += linkpath.length
  if (tree.targetBytes > archiveLimits.targetBytes) {
    return { text: `The links of the archive have targets of over ${archiveLimits.targetBytes} bytes.` }
  }
  node.target = linkpath
  return undefined
}

/** A fault if something lies below a file or a link, or a link leads out of the archive or in a circle. */
export function treeFault(tree: ArchiveTree): ArchiveFault | undefined {
  const links: Node[] = []
  const open: Node[] = [tree.root]
  for (let node = open.pop(); node; node = open.pop()) {
    const children = [...(node.children?.values() ?? [])]
    const [child] = children
    if (child && (node.kind === 'file' || node.kind === 'link')) {
      return refused(pathOf(child), `lies below '${shown(pathOf(node))}', which is a ${node.kind}`)
    }
    if (node.kind === 'link') links.push(node)
    for (const next of children) open.push(next)
  }
  for (const link of links) {
    const why = follow(link)
    if (typeof why === 'string')
      return refused(pathOf(link), `is a link to '${shown(link.target ?? '')}', which ${why}`)
  }
  return undefined
}

type Unresolved = 'is outside of the archive' | 'leads in a circle' | 'leads through too many links'

/** Links that lead through links, of which nobody needs more. */
const maxHops = 40

/** Where a link leads, with every link on the way followed as an operating system would. Each is followed once. */
function follow(link: Node, hops = 0): Node | Unresolved {
  if (link.leadsTo === 'resolving') return 'leads in a circle'
  if (link.leadsTo) return link.leadsTo
  if (hops > maxHops) return 'leads through too many links'
  link.leadsTo = 'resolving'
  let at: Node | undefined = link.parent
  for (const segment of (link.target ?? '').split('/')) {
    if (segment === '' || segment === '.') continue
    at =
      segment === '..'
        ? at?.parent
        : (at?.children?.get(segment) ?? (at && { name: segment, parent: at, kind: 'nothing' }))
    if (!at) return 'is outside of the archive'
    if (at.kind !== 'link') continue
    const next = follow(at, hops + 1)
    if (typeof next === 'string') return next
    at = next
  }
  if (!at) return 'is outside of the archive'
  link.leadsTo = at
  return at
}

function pathOf(node: Node): string {
  const names: string[] = []
  for (let at: Node | undefined = node; at?.parent; at = at.parent) names.push(at.name)
  return names.reverse().join('/')
}

/** Names are of the sender; a text shows their beginning, without what a terminal would obey. */
const shown = (name: string): string => name.slice(0, 200).replace(/\p{Cc}/gu, '?')

const refused = (path: string, why: string): ArchiveFault => ({ text: `The entry '${shown(path)}' ${why}.` })
