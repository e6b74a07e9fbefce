import type { Deps } from '../../../kit/deps.ts'
import { sealNode } from './seal-node.ts'

/**
 * Logs what a server that has started waits for: with key shares, nothing but people can unseal it, and it looks ready.
 */
export function warnIfSealed(deps: Deps): void {
  const { log, seal } = deps
  const state = seal.status()
  if (state === 'uninitialised') {
    const next = 'holdfast write sys/init secret_shares=5 secret_threshold=3'
    log.warn({ next }, 'the store is not initialised, requests get 503: create its keys and root token with sys/init')
  }
  const { row } = sealNode(deps)
  if (state !== 'sealed' || row?.type !== 'shamir') return
  const next = 'holdfast write sys/unseal key=-'
  log.warn({ next, threshold: row.threshold }, 'the server is sealed, requests get 503: send key shares to sys/unseal')
}
