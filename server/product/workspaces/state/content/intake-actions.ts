import { createHash, hash } from 'node:crypto'
import {
  type Inspection,
  type Inspector,
  type TakenContent,
  takeContent as takeInspected,
  takeWhole as takeWholeInspected,
} from '../../../../kit/stored-bytes/index.ts'
import { type Finding, outlineOf } from '../analysis/state-outline.ts'
import type { ContentKind } from './content-url.ts'
import { OutlineReader } from './outline-adapter.ts'

/** What is found out about a file while it is stored. */
export type ContentInfo = { readonly size: number; readonly md5: string; readonly finding: Finding }

/** The finding for a file that is stored without being read. */
const unreadFinding: Finding = { ok: false, why: 'It was not read' }

const inspectionOf = (kind: ContentKind): Inspection<ContentInfo> => ({
  whole: (bytes) => ({
    size: bytes.length,
    md5: hash('md5', bytes),
    finding: kind === 'state' ? outlineOf(bytes) : unreadFinding,
  }),
  begin: () => new ContentInspector(kind),
})

/** Examines a large file as it passes through; the contents of a state are read in another thread meanwhile. */
class ContentInspector implements Inspector<ContentInfo> {
  readonly #md5 = createHash('md5')
  readonly #outline: OutlineReader | undefined
  #size = 0

  constructor(kind: ContentKind) {
    this.#outline = kind === 'state' ? new OutlineReader() : undefined
  }

  async push(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length
    this.#md5.update(bytes)
    await this.#outline?.push(bytes)
  }

  async end(): Promise<ContentInfo> {
    const finding = (await this.#outline?.end()) ?? unreadFinding
    return { size: this.#size, md5: this.#md5.digest('hex'), finding }
  }

  close(): void {
    this.#outline?.close()
  }
}

type IntakeDeps = Parameters<typeof takeInspected>[0]

/** Stores a file of a version, and learns what is in it on the way. */
export const takeContent = async (
  deps: IntakeDeps,
  workspaceId: string,
  source: AsyncIterable<Uint8Array>,
  kind: ContentKind,
): Promise<TakenContent<ContentInfo>> => await takeInspected(deps, workspaceId, source, inspectionOf(kind))

/** The same for a file that is in memory as a whole; the caller hands it over. */
export const takeWhole = async (
  deps: IntakeDeps,
  workspaceId: string,
  bytes: Buffer,
  kind: ContentKind,
): Promise<TakenContent<ContentInfo>> => await takeWholeInspected(deps, workspaceId, bytes, inspectionOf(kind))
