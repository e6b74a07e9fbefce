import type { Fault } from '../../../kernel/failure.ts'

/** The first of some names, and how many there are. */
export type SomeNames = { readonly names: readonly string[]; readonly total: number }

/** A few names, and how many more there are: `a, b, c and 4 more`. */
export function listNames({ names, total }: SomeNames): string {
  const more = total - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

/** What is wrong with removing a default pool that workspaces or projects in agent mode use. */
export function followerFaults(noun: 'workspaces' | 'projects', followers: SomeNames, pointer: string): Fault[] {
  if (followers.total === 0) return []
  const detail = `Default agent pool is in use by ${noun} in agent mode without their own: ${listNames(followers)}`
  return [{ detail, pointer, code: 'agent-pool.in-use' }]
}
