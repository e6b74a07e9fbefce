/** The kinds of things whose changes people look for, in one and in many. */
export const kindWords: readonly (readonly [type: string, one: string, many: string])[] = [
  ['organizations', 'organization', 'Organization'],
  ['teams', 'team', 'Teams'],
  ['organization-memberships', 'member', 'Members'],
  ['projects', 'project', 'Projects'],
  ['workspaces', 'workspace', 'Workspaces'],
  ['vars', 'variable', 'Variables'],
  ['authentication-tokens', 'token', 'Tokens'],
]

/** What a thing of this kind is called. */
export const wordOf = (type: string): string =>
  kindWords.find(([kind]) => kind === type)?.[1] ?? type.replaceAll('-', ' ').replace(/s$/, '')

const longest = 40

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

type Values = Readonly<Record<string, unknown>> | null | undefined

/** What was changed, in one line: `name: old → new`. */
export function changedText(before: Values, after: Values): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((name) => {
      if (!before) return `${name}: ${shown(after?.[name])}`
      if (!after) return `${name}: ${shown(before[name])}`
      return `${name}: ${shown(before[name])} → ${shown(after[name])}`
    })
    .join(', ')
}
