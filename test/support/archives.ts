import { gzipSync } from 'node:zlib'
import { Header } from 'tar/header'
import { Pax } from 'tar/pax'

/** An entry of an archive; a file unless it says otherwise. Nothing keeps it from being hostile. */
export type MadeEntry = {
  readonly path: string
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
  readonly linkpath?: string
  readonly body?: string | Buffer
}

const padding = (size: number): Buffer => Buffer.alloc((512 - (size % 512)) % 512)

/** One entry as it is in an archive, with an extended header if its names need one. */
export function entryBytes({ path, type = 'File', linkpath, body = '' }: MadeEntry): Buffer {
  const content = Buffer.from(body)
  const size = type === 'File' ? content.length : 0
  const header = new Header({ path, type, size, mode: 0o644, mtime: new Date(0), ...(linkpath ? { linkpath } : {}) })
  const block = Buffer.alloc(512)
  const needsPax = header.encode(block)
  const pax = needsPax ? new Pax({ path, ...(linkpath ? { linkpath } : {}) }).encode() : Buffer.alloc(0)
  return Buffer.concat([pax, block, content, padding(content.length)])
}

/** An archive before it is packed. */
export const tarOf = (entries: readonly MadeEntry[]): Buffer =>
  Buffer.concat([...entries.map(entryBytes), Buffer.alloc(1_024)])

/** A packed archive of these entries. */
export const archiveOf = (entries: readonly MadeEntry[] = [{ path: 'main.tf', body: 'locals {}\n' }]): Buffer =>
  gzipSync(tarOf(entries))
