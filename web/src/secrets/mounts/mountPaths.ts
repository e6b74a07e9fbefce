/** What a change of mounts may change: aliases and rate limits name their paths. */
export const mountSubjects = ['mounts', 'removals', 'identity', 'quotas', 'cert-roles', 'tokens'] as const

/** The part of a path that auth methods are addressed by; undefined for other mounts. */
export const authPathOf = (path: string): string | undefined =>
  path.startsWith('auth/') ? path.slice('auth/'.length) : undefined
