/** What one check found. */
export type Finding = { state: 'ok' | 'warn' | 'fail'; text: string; fix?: string }

/** One thing to check. */
export type Check = {
  name: string
  run(): Finding | Promise<Finding>
  /** True if it opens the database, and so takes over or drops what an unclean stop has left of its log. */
  opensStore?: boolean
}

/** All is well. */
export const ok = (text: string): Finding => ({ state: 'ok', text })

/** The server works, but not as its operator may expect. */
export const warn = (text: string, fix: string): Finding => ({ state: 'warn', text, fix })

/** The server does not work until this is mended. */
export const fail = (text: string, fix: string): Finding => ({ state: 'fail', text, fix })
