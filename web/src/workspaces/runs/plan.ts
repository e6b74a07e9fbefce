import type { DiffAttribute, DiffItem } from '../../kit/Diff.tsx'

/** The changes of one module, as a plan lists them. */
export type ModuleChanges = { readonly module: string; readonly items: readonly DiffItem[] }

type Change = {
  readonly actions: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
  readonly after_unknown?: unknown
  readonly before_sensitive?: unknown
  readonly after_sensitive?: unknown
}

type ResourceChange = {
  readonly address: string
  readonly module_address?: string
  readonly mode?: string
  readonly previous_address?: string
  readonly change: Change
}

/** The plan as the server shows it, without values that are sensitive. */
export type ShownPlan = {
  readonly resource_changes?: readonly ResourceChange[]
  readonly output_changes?: Readonly<Record<string, Change>>
}

/** What a plan changes, by module; the outputs come last. */
export function changesOf({ resource_changes = [], output_changes = {} }: ShownPlan): readonly ModuleChanges[] {
  const listed = resource_changes.flatMap(({ address, module_address: module = '', previous_address, change }) => {
    const item = itemOf(previous_address ? `${address} (was ${previous_address})` : address, change, previous_address)
    return item ? [{ module, item }] : []
  })
  const groups = [...Map.groupBy(listed, ({ module }) => module)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, of]) => ({ module, items: of.map(({ item }) => item) }))
  const outputs = Object.entries(output_changes).flatMap(([name, change]) => itemOf(name, change) ?? [])
  return outputs.length > 0 ? [...groups, { module: 'Outputs', items: outputs }] : groups
}

function itemOf(name: string, change: Change, previous?: string): DiffItem | undefined {
  const action = actionOf(change.actions)
  if (!action) return previous === undefined ? undefined : { action: 'change', name, attributes: [] }
  return { action, name, attributes: attributesOf(change) }
}

function actionOf(actions: readonly string[]): DiffItem['action'] | undefined {
  const has = (action: string): boolean => actions.includes(action)
  if (has('create')) return has('delete') ? 'replace' : 'create'
  if (has('delete') || has('forget')) return 'destroy'
  return has('update') ? 'change' : undefined
}

/** A value that has no parts, as text; or one that may not be shown. */
type Leaf = { readonly text: string; readonly isSecret: boolean }

function attributesOf({ before, after, after_unknown, before_sensitive, after_sensitive }: Change): DiffAttribute[] {
  const [old, now] = [new Map<string, Leaf>(), new Map<string, Leaf>()]
  collect(old, '', before, undefined, before_sensitive)
  collect(now, '', after, after_unknown, after_sensitive)
  const names = [...new Set([...old.keys(), ...now.keys()])].sort()
  return names.flatMap((name) => {
    const [a, b] = [old.get(name), now.get(name)]
    if (a?.text === b?.text) return []
    return [
      {
        name: name || 'value',
        before: a?.text,
        after: b?.text,
        isSecret: a?.isSecret === true || b?.isSecret === true,
      },
    ]
  })
}

/** Collects the parts of a value by their paths, as they are written in a configuration. */
function collect(leaves: Map<string, Leaf>, path: string, value: unknown, unknown: unknown, mark: unknown): void {
  if (unknown === true) return void leaves.set(path, { text: 'known after apply', isSecret: false })
  if (mark === true && value !== null && value !== undefined)
    return void leaves.set(path, { text: JSON.stringify(value), isSecret: true })
  const keys = keysOf(value, unknown)
  if (keys.length > 0) {
    const inList = Array.isArray(value) || Array.isArray(unknown)
    for (const key of keys) {
      const below = inList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
      collect(leaves, below, member(value, key), member(unknown, key), member(mark, key))
    }
  } else if (value !== null && value !== undefined) leaves.set(path, { text: JSON.stringify(value), isSecret: false })
}

const member = (of: unknown, key: string): unknown => (typeof of === 'object' ? Object(of)[key] : undefined)

const keysOf = (...values: readonly unknown[]): readonly string[] => [
  ...new Set(values.flatMap((value) => (typeof value === 'object' && value !== null ? Object.keys(value) : []))),
]
