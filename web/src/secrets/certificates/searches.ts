const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined

/** What is not said is left out, so that addresses stay short. */
const said = <Value extends object>(values: Value): Partial<Value> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Value>

/** What the list of roles shows. */
export type RolesSearch = { readonly search?: string | undefined; readonly after?: string | undefined }

export const rolesSearch = (raw: Record<string, unknown>): RolesSearch =>
  said({ search: textOf(raw.search), after: textOf(raw.after) })

const roleTabs = ['clients', 'refused'] as const

/** Which face of a role is shown; the role itself if none is named. */
export type RoleSearch = { readonly tab?: (typeof roleTabs)[number] | undefined }

export const roleSearch = (raw: Record<string, unknown>): RoleSearch =>
  said({ tab: roleTabs.find((each) => each === raw.tab) })

/** What the list of logins is narrowed by. */
export type LoginsSearch = {
  readonly verdict?: 'accepted' | 'refused' | undefined
  readonly role?: string | undefined
  readonly fingerprint?: string | undefined
  readonly reason?: string | undefined
  readonly after?: string | undefined
}

export const loginsSearch = (raw: Record<string, unknown>): LoginsSearch =>
  said({
    verdict: raw.verdict === 'accepted' || raw.verdict === 'refused' ? raw.verdict : undefined,
    role: textOf(raw.role),
    fingerprint: textOf(raw.fingerprint),
    reason: textOf(raw.reason),
    after: textOf(raw.after),
  })

/** What is explained: a recorded login, or what is pasted; by one role or by all. */
export type ExplainSearch = {
  readonly login?: string | undefined
  readonly paste?: true | undefined
  readonly role?: string | undefined
  readonly ocsp?: true | undefined
}

export const explainSearch = (raw: Record<string, unknown>): ExplainSearch =>
  said({
    login: textOf(raw.login),
    paste: raw.paste === true || raw.paste === 'true' ? (true as const) : undefined,
    role: textOf(raw.role),
    ocsp: raw.ocsp === true || raw.ocsp === 'true' ? (true as const) : undefined,
  })

/** The mount that pages show unless the address names another. */
export const usualMount = 'cert'

/** What all pages of certificate login have in their address. */
export type MountSearch = { readonly mount?: string }

/** Reads the mount from the address. */
export const mountSearch = (raw: Record<string, unknown>): MountSearch =>
  typeof raw.mount === 'string' && /^[\w./-]+$/.test(raw.mount) && raw.mount !== usualMount ? { mount: raw.mount } : {}
