/** The wire spelling of a declared name: `autoApply` is `auto-apply`. */
export const toKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Folds the spellings clients use for one key (`auto-apply`, `auto_apply`, `autoApply`) into the first. */
export const foldKey = (key: string): string =>
  key
    .replaceAll('_', '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()

/** A key in the words of an error: `agent-pool-id` is "Agent pool id". */
export const labelOf = (key: string): string => {
  const words = key.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
