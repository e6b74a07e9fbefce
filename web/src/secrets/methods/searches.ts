const tabs = ['settings', 'secret-ids'] as const

/** Which role of a method is shown and which of its faces, or the settings of the method; which page of a list. */
export type MethodSearch = {
  readonly role?: string | undefined
  readonly tab?: (typeof tabs)[number] | undefined
  readonly after?: string | undefined
}

export const methodSearch = (raw: Record<string, unknown>): MethodSearch => {
  const tab = tabs.find((each) => each === raw.tab)
  return {
    ...((typeof raw.role === 'string' || typeof raw.role === 'number') && { role: String(raw.role) }),
    ...(tab !== undefined && { tab }),
    ...(typeof raw.after === 'string' && { after: raw.after }),
  }
}
