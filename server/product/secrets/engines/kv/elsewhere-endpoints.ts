import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { data, type Reply } from '../../../../kit/reply.ts'
import { engineFolders } from './kv.ts'

const commands: Readonly<Record<string, string>> = {
  GET: 'kv get',
  HEAD: 'kv get',
  LIST: 'kv list',
  POST: 'kv put',
  PUT: 'kv put',
  PATCH: 'kv patch',
  DELETE: 'kv delete',
}

/** Says where secrets are, to those who leave out `data/`: old tools show the warning. */
function sayWhere({ request, warn }: Pick<Call, 'request' | 'warn'>): Reply {
  const command = commands[request.verb] ?? 'kv get'
  warn(
    `Invalid path for a versioned K/V secrets engine: secrets are below data/, what is known about them is below metadata/. On a command line, use '${command}'.`,
  )
  return data({}, 404)
}

/** Answers where nothing of the engine is. */
export const elsewhere: Omit<MountEndpoint, 'route' | 'access'> = {
  id: 'kv.elsewhere',
  summary: 'Say where secrets are.',
  returns: { 404: Type.Object({}) },
  handle: sayWhere,
}

/** The path of the secret, or of the list for a path that ends in a slash, for those who leave out `data/`. */
export function meantPath({ path: at, options }: Mount, path: string): string | undefined {
  const rest = path.slice(at.length)
  if (options?.version !== '2' || engineFolders.has(rest.split('/', 1)[0] ?? '')) return undefined
  return `${at}${rest === '' || rest.endsWith('/') ? 'metadata' : 'data'}/${rest}`
}

/** Verbs for which a folder alone is no path; only lists have the folder itself. */
const stray = (['GET', 'POST', 'PATCH', 'DELETE'] as const).flatMap((verb) =>
  (['metadata', 'detailed-metadata'] as const).map((folder) => ({ verb, folder })),
)

/** The same at the folders that can be listed. */
export const strayEndpoints: readonly MountEndpoint[] = stray.map(({ verb, folder }) =>
  endpoint({
    id: `kv.no-${verb.toLowerCase()}-${folder}`,
    route: `${verb} /${folder}`,
    summary: 'Say where secrets are; this path can only be listed.',
    access: acl(),
    returns: { 404: Type.Object({}) },
    handle: (call) => sayWhere(call),
  }),
)
