/** A person. Keys are folded forms that may occur once. */
export type UserRow = {
  id: string
  username: string
  username_key: string
  email: string
  email_key: string
  /** 1 if an administrator has set the address, not the person. */
  email_verified: number
  /** Null until the person has set one. */
  password_hash: string | null
  site_admin: number
  allow_certificate_login: number
  /** 1 for a person who is suspended. */
  suspended: number
  created_at: number
  updated_at: number
}

/** A browser that is signed in. */
export type SessionRow = {
  id: string
  hash: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
  remote_address: string
  user_agent: string
  /** The `/v1` token the person signed in with, sealed; null for passwords. */
  service_token: Uint8Array | null
  /** The user token the person signed in with; null for anything else. */
  api_token_id: string | null
}

/** An invitation or a password reset that has not been used. */
export type OneTimeLinkRow = {
  hash: string
  purpose: string
  user_id: string
  created_at: number
  expires_at: number
}

/** Failed sign-ins by name or address. */
export type SignInFailureRow = { key: string; failures: number; last_failure_at: number; blocked_until: number }

/** The tables of people. */
export type PeopleTables = {
  users: UserRow
  sessions: SessionRow
  one_time_links: OneTimeLinkRow
  sign_in_failures: SignInFailureRow
}
