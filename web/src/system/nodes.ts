import type { Schemas } from '../api/client.ts'
import type { Shape } from '../kit/Status.tsx'

/** A node, as the API tells of it. */
export type Node = Required<Schemas['NodeAttributes']> & { readonly id: string }

/** Whether a node is there, in a word. */
export function wordOf(node: Pick<Node, 'state' | 'stopped-at'>): { readonly shape: Shape; readonly word: string } {
  if (node.state === 'present') return { shape: 'done', word: 'Present' }
  return node['stopped-at'] === null ? { shape: 'failed', word: 'Gone' } : { shape: 'ended', word: 'Stopped' }
}

/** The versions of the nodes that are there. */
export const versionsOf = (nodes: readonly Pick<Node, 'state' | 'version'>[]): readonly string[] => [
  ...new Set(nodes.filter(({ state }) => state === 'present').map(({ version }) => version)),
]

/** By how much a clock differs; what is less than half a second is nothing. */
export function clockText(skewMs: number): string {
  if (Math.abs(skewMs) < 500) return 'exact'
  return `${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs > 0 ? 'ahead' : 'behind'}`
}
