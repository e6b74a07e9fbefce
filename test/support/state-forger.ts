import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  firstLink,
  frameHead,
  hashBytes,
  magic,
  nextLink,
  type StateHeader,
} from '../../server/archive/format/state-format.ts'

type Frame = { type: number; content: Buffer }

/** Takes a `state.bin` apart and reassembles it with different content and correct hashes. */
export class StateForger {
  readonly #header: StateHeader
  readonly #frames: Frame[] = []

  constructor(state: Buffer) {
    const length = state.readUInt32BE(magic.length)
    const begin = magic.length + 4
    this.#header = JSON.parse(state.toString('utf8', begin, begin + length))
    for (let at = begin + length + hashBytes; at < state.length; ) {
      const stored = state.readUInt32BE(at + 5)
      const content = zstdDecompressSync(state.subarray(at + frameHead, at + frameHead + stored))
      this.#frames.push({ type: state.readUInt8(at), content })
      at += frameHead + stored + hashBytes
    }
  }

  /** With every frame of a type changed. */
  with(type: number, change: (content: Buffer) => Buffer): Buffer {
    const frames = this.#frames.map((frame) => (frame.type === type ? { type, content: change(frame.content) } : frame))
    return assemble(this.#header, frames)
  }

  /** With another header. */
  withHeader(change: (header: StateHeader) => StateHeader): Buffer {
    return assemble(change(this.#header), this.#frames)
  }
}

function assemble(header: StateHeader, frames: readonly Frame[]): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  const head = Buffer.concat([magic, length, json])
  let link = firstLink(head)
  const parts = [head, link]
  for (const { type, content } of frames) {
    const stored = zstdCompressSync(content)
    const frame = Buffer.alloc(frameHead)
    frame.writeUInt8(type, 0)
    frame.writeUInt32BE(content.length, 1)
    frame.writeUInt32BE(stored.length, 5)
    link = nextLink(link, frame, stored)
    parts.push(frame, stored, link)
  }
  return Buffer.concat(parts)
}
