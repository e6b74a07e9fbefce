const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined

/** What is not said is left out, so that addresses stay short. */
const said = <Value extends object>(values: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Value>

/** Which page of a long list is shown: of names that begin so, those after one. */
export type ListSearch = { readonly begins?: string | undefined; readonly after?: string | undefined }

export const listSearch = (raw: Record<string, unknown>): ListSearch =>
  said({ begins: textOf(raw.begins), after: textOf(raw.after) })

/** Which face of a thing is shown; the first if none is named. */
export type TabSearch = { readonly tab?: 'uses' | 'aliases' | undefined }

export const tabSearch = (raw: Record<string, unknown>): TabSearch =>
  said({ tab: (['uses', 'aliases'] as const).find((each) => each === raw.tab) })

/** Which kind of mounts is shown. */
export type MountsSearch = { readonly kind?: 'engines' | undefined }

export const mountsSearch = (raw: Record<string, unknown>): MountsSearch =>
  said({ kind: raw.kind === 'engines' ? ('engines' as const) : undefined })

/** What is asked: which paths, for the own token, another one, or a set of policies. */
export type TrySearch = {
  readonly paths?: string | undefined
  readonly accessor?: string | undefined
  readonly policies?: string | undefined
}

export const trySearch = (raw: Record<string, unknown>): TrySearch =>
  said({ paths: textOf(raw.paths), accessor: textOf(raw.accessor), policies: textOf(raw.policies) })

/** What stands right before all texts that begin so: a list that goes on after it begins with them. */
export function justBefore(begins: string): string | undefined {
  const last = begins.codePointAt(begins.length - 1)
  if (last === undefined) return undefined
  return `${begins.slice(0, -1)}${last > 1 ? String.fromCodePoint(last - 1) : ''}\u{10ffff}`
}

/** Lines of `key=value` as an object; what has no sign has no value. */
export const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const at = line.indexOf('=')
        return at === -1 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )

/** An object as lines of `key=value`. */
export const linesOf = (pairs: Readonly<Record<string, string>> | null | undefined): string =>
  Object.entries(pairs ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')
