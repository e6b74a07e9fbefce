/** A tag binding as the API takes it. */
type Binding = { readonly type: 'tag-bindings'; readonly attributes: { readonly key: string; readonly value: string } }

/** `key=value` as the API takes it; a tag without a value has an empty one. */
export const tagsOf = (texts: readonly string[]): Binding[] =>
  texts.map((text) => {
    const at = text.indexOf('=')
    const key = (at === -1 ? text : text.slice(0, at)).trim()
    return { type: 'tag-bindings', attributes: { key, value: at === -1 ? '' : text.slice(at + 1).trim() } }
  })

/** A tag as people write it. */
export const textOf = ({ key, value }: { key?: string; value?: string | null }): string =>
  value ? `${key}=${value}` : (key ?? '')
