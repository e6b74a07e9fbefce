/** A place where audit records go. */
export type AuditDeviceRow = {
  id: string
  /** With a trailing slash: `file/`. */
  path: string
  type: string
  description: string
  options: string
  local: number
  /** Sealed: whoever knows it can test guesses against the hashes in the records. */
  salt: Uint8Array
  created_at: number
}

/** A request header that is written into records. */
export type AuditHeaderRow = { name: string; hmac: number }

/** The tables of audit devices. */
export type AuditDeviceTables = { audit_devices: AuditDeviceRow; audit_headers: AuditHeaderRow }
