import { failure } from '../../kernel/failure.ts'

/** One of the servers that may be the primary. */
export type PostgresHost = {
  /** Host and port, fit for a log line. */
  readonly label: string
  /** The address of this server alone; holds the password, so it is never shown. */
  readonly url: string
}

const address = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?]+)((?:[/?].*)?)$/

/** Splits `postgres://user:password@host1:5432,host2:5432/database?…` into one address for each server. */
export function parseHosts(url: string): PostgresHost[] {
  const [, head, hosts, tail] = address.exec(url) ?? []
  const labels = (hosts ?? '').split(',').map((host) => host.trim())
  if (head === undefined || tail === undefined || labels.some((label) => label === '')) {
    const text = 'The PostgreSQL address must look like postgres://user:password@host:5432,host2:5432/database.'
    throw failure('invalid', 'storage.bad-address', text)
  }
  return labels.map((label) => ({
    label: /:\d+$/.test(label) ? label : `${label}:5432`,
    url: `${head}${label}${tail}`,
  }))
}
