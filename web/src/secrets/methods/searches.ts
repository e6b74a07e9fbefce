/** Which role of a method is shown, or its settings. */
export type MethodSearch = { readonly role?: string | undefined; readonly tab?: 'settings' | undefined }

export const methodSearch = (raw: Record<string, unknown>): MethodSearch => ({
  ...((typeof raw.role === 'string' || typeof raw.role === 'number') && { role: String(raw.role) }),
  ...(raw.tab === 'settings' && { tab: 'settings' as const }),
})
