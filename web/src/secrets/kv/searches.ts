const tabs = ['edit', 'versions', 'compare', 'settings', 'history'] as const

/** Which face of a secret is shown, and which versions; never a value. */
export type SecretSearch = {
  readonly tab?: (typeof tabs)[number] | undefined
  readonly version?: number | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

const wholeOf = (value: unknown): number | undefined => {
  const number = Number(value)
  return value !== '' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export const secretSearch = (raw: Record<string, unknown>): SecretSearch => {
  const tab = tabs.find((each) => each === raw.tab)
  const [version, from, to] = [wholeOf(raw.version), wholeOf(raw.from), wholeOf(raw.to)]
  return {
    ...(tab !== undefined && { tab }),
    ...(version !== undefined && { version }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}
