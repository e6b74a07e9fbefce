/** Bytes that are given to the compressor at once: each time costs a round trip to another thread. */
export const groupBytes = 512 * 1024

/**
 * Cuts a file into groups of one size, so that the compressed bytes depend only on its content, however it arrived. Two
 * buffers take turns: a group must have been used before the next but one is asked for.
 */
export async function* grouped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [group, spare] = [Buffer.allocUnsafeSlow(groupBytes), Buffer.allocUnsafeSlow(groupBytes)]
  let filled = 0
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + groupBytes - filled)
      group.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < groupBytes) continue
      yield group
      ;[group, spare] = [spare, group]
      filled = 0
    }
  }
  if (filled > 0) yield group.subarray(0, filled)
}
