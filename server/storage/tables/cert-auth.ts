/** A role of certificate login. */
export type CertRoleRow = {
  mount_id: string
  /** The name in lower case, by which it is found. */
  name_key: string
  /** The name as first written. */
  name: string
  /** Everything but the certificate, as JSON. */
  settings: string
  /** PEM as sent. */
  certificate: string
  /** SHA-256 of the PEM: roles that trust the same CAs share what was read from it. */
  certificate_digest: string
  /** Moves with every write. */
  version: number
  updated_at: number
}

/** A certificate a role trusts, by what a client's chain says about its issuer. */
export type CertRoleAnchorRow = {
  mount_id: string
  name_key: string
  fingerprint: string
  /** Hash of the subject name; empty for a pinned leaf, which issues nothing. */
  subject_key: string
  /** Subject key identifier in hex; empty for none. */
  key_id: string
  not_after: number
}

/** A stored revocation list; its bytes are a blob. */
export type CertCrlRow = {
  mount_id: string
  name_key: string
  name: string
  /** Where it is fetched from; empty for one that was written. */
  url: string
  blob_id: string
  size: number
  entries: number
  /** The issuer's name as text, for people. */
  issuer: string
  /** SHA-256 of the key that signed it, when that key is known here; empty for unverified. */
  signer_key: string
  number: string | null
  this_update: number
  next_update: number | null
  updated_at: number
  /** When it is fetched again; 0 for one that was written. */
  refresh_at: number
  last_error: string
  last_error_at: number
}

/** Settings of certificate login at one mount, as JSON. */
export type CertConfigRow = { mount_id: string; settings: string }

/** The tables of certificate login. */
export type CertAuthTables = {
  cert_roles: CertRoleRow
  cert_role_anchors: CertRoleAnchorRow
  cert_crls: CertCrlRow
  cert_config: CertConfigRow
}
