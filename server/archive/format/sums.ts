import { hash } from 'node:crypto'
import { checksumMismatch, unreadable } from '../refusals.ts'

/** The checksums of an archive's members, in hex. */
type Sums = { readonly meta: string; readonly state: string }

/** The text of `SHA256SUMS`, which `sha256sum -c` reads. */
export const sumsText = ({ meta, state }: Sums): string => `${meta}  meta.json\n${state}  state.bin\n`

/** The SHA-256 of bytes in hex. */
export const sha256 = (bytes: Buffer): string => hash('sha256', bytes, 'hex')

/** Compares what was found with what `SHA256SUMS` says. */
export function compareSums(text: string, found: Sums): void {
  const lines = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, digest, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? []
        if (digest === undefined || name === undefined) throw unreadable('SHA256SUMS is malformed')
        return [name, digest]
      }),
  )
  if (lines.get('meta.json') !== found.meta) throw checksumMismatch('meta.json')
  if (lines.get('state.bin') !== found.state) throw checksumMismatch('state.bin')
  if (lines.size !== 2) throw unreadable('SHA256SUMS names other files')
}
