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
  const text = textOf(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}

/** Members of an object are told one after another, without marks that only machines need. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(textOf).join(' and ')
  if (typeof value !== 'object') return String(value)
  const pairs = Object.entries(value).map(([name, each]) => `${name} ${textOf(each)}`)
  return pairs.length === 0 ? 'nothing' : pairs.join(' and ')
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
