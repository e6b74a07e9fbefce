/** A code that a browser carries back to a command line, good once and for a minute; kept as a keyed hash. */
export type OauthCodeRow = {
  hash: string
  user_id: string
  username: string
  challenge: string
  redirect_uri: string
  expires_at: number
  /** The session it was made in, with which it goes; null for codes from before this was noted. */
  session_id: string | null
}

/** The tables of logins through a browser. */
export type OauthLoginTables = { oauth_codes: OauthCodeRow }
