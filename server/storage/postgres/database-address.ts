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

/** An address without the search path it names, and that path. */
type SplitAddress = { readonly url: string; readonly searchPath: string | undefined }

const optionsParameter = /(?<=[?&]options=)[^&#]*/g
const searchPathOption = /(?:-c\s*|--)search[_-]path=((?:\\.|[^\s\\])*)/g

/**
 * Takes the search path out of the options of an address. Options travel when a connection begins, and poolers refuse or
 * ignore them: the tables would be looked for, and replaced, in another schema. A statement does not get lost.
 */
export function splitSearchPath(url: string): SplitAddress {
  let searchPath: string | undefined
  const rest = url.replaceAll(optionsParameter, (encoded) => {
    const options = new URLSearchParams(`options=${encoded}`).get('options') ?? ''
    const others = options.replaceAll(searchPathOption, (_option, value: string) => {
      searchPath = value.replaceAll(/\\(.)/g, '$1')
      return ''
    })
    return others === options ? encoded : encodeURIComponent(others.trim())
  })
  return { url: rest, searchPath }
}
