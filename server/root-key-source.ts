import type { Config } from './config/index.ts'
import type { RootKeySource } from './crypto/root-keys/root-key.ts'

/** Where the configuration says that the root key comes from. */
export function rootKeySourceOf({ seal }: Config): RootKeySource {
  const { rootKey } = seal
  if (rootKey.from === 'file') return { kind: 'file', path: rootKey.file }
  if (rootKey.from === 'environment') return { kind: 'value', name: 'HOLDFAST_SEAL_KEY', value: rootKey.key }
  return { kind: 'command', command: ['sh', '-c', rootKey.command], deadlineMs: 30_000 }
}
