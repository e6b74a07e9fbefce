/** Which part of the tree may import which. An arrow also allows everything to the right of what it points at. */
const ARROWS: Record<string, readonly string[]> = {
  main: ['process'],
  process: ['dev', 'app', 'config'],
  dev: ['kit', 'config'],
  app: ['http', 'jobs', 'product', 'config'],
  http: ['kit', 'compat'],
  jobs: ['kit'],
  product: ['access', 'audit'],
  access: ['kit'],
  audit: ['kit'],
  kit: ['archive', 'outbound', 'pki'],
  archive: ['storage', 'crypto'],
  storage: ['kernel'],
  crypto: ['kernel'],
  outbound: ['kernel'],
  pki: ['kernel'],
  config: ['kernel', 'compat'],
  kernel: [],
  compat: [],
  cli: ['compat', 'crypto', 'api-client'],
  runner: ['kernel'],
  'api-client': [],
  web: ['web/overview', 'web/people', 'web/workspaces', 'web/secrets', 'web/system'],
  // The overview shows parts of wings; wings do not know each other.
  'web/overview': ['web/snapshots'],
  'web/people': ['web/frame'],
  'web/workspaces': ['web/frame'],
  'web/secrets': ['web/frame'],
  'web/snapshots': ['web/frame'],
  'web/system': ['web/frame'],
  'web/frame': ['web/kit'],
  'web/kit': ['web/api'],
  'web/api': ['api-client'],
}

/**
 * The same between features, by their folders below `server/product`. A new feature is added here, above the features it
 * needs and below those that need it.
 */
const FEATURES: Record<string, readonly string[]> = {
  'people/oauth-login': ['people/sign-in'],
  'workspaces/runners': [
    'workspaces/runs',
    'workspaces/state',
    'workspaces/ssh-keys',
    'workspaces/pools',
    'people/projects',
  ],
  'workspaces/runs': ['workspaces/configurations', 'workspaces/variable-sets'],
  'workspaces/configurations': ['workspaces/workspaces'],
  'workspaces/state': ['workspaces/workspaces'],
  'workspaces/discovery': [],
  'workspaces/ssh-keys': ['workspaces/workspaces'],
  'workspaces/variable-sets': ['workspaces/variables', 'people/projects'],
  'workspaces/variables': ['workspaces/workspaces'],
  'workspaces/pools': ['workspaces/workspaces', 'people/api-tokens'],
  'workspaces/vcs': ['workspaces/workspaces'],
  'people/team-access': ['people/projects'],
  'people/projects': ['workspaces/workspaces', 'workspaces/pools'],
  'workspaces/workspaces': ['people/organizations', 'people/teams'],
  'people/callers': ['people/sign-in'],
  'people/sign-in': ['people/api-tokens', 'secrets/auth/cert'],
  'people/api-tokens': ['people/teams'],
  'people/organizations': ['people/teams'],
  'people/teams': ['people/users'],
  'people/users': [],
  'secrets/auth/cert': ['secrets/auth/*'],
  // What every auth method and every engine may use; those that need more have a line of their own.
  'secrets/auth/*': ['secrets/login-roles'],
  'secrets/login-roles': ['secrets/tokens', 'people/teams'],
  'secrets/engines/*': ['secrets/tokens'],
  'secrets/capabilities': ['secrets/tokens'],
  'secrets/tokens': ['secrets/policies'],
  'secrets/identity': ['secrets/mounts'],
  'secrets/policies': ['secrets/identity'],
  'secrets/mounts': [],
  'secrets/audit-devices': [],
  'secrets/seal': [],
  'secrets/status': ['secrets/seal'],
  'secrets/tools': [],
  'secrets/quotas': ['secrets/mounts'],
  'secrets/cross-origin': [],
  snapshots: ['secrets/seal', 'secrets/audit-devices', 'secrets/tokens', 'people/api-tokens'],
}

/** Files of the checkout as a whole, which every part may read. */
const SHARED: ReadonlySet<string> = new Set(['package.json', 'scripts/setup/root.mjs'])

/**
 * The roles of a feature's files, by the end of their names, and the roles of its own files that each may import. A file
 * with none of these ends is `pure`: types and rules.
 */
const ROLES: Record<string, readonly string[]> = {
  pure: ['pure', 'fields'],
  fields: ['pure', 'fields'],
  store: ['pure', 'fields', 'store'],
  adapter: ['pure', 'fields', 'store', 'adapter'],
  actions: ['pure', 'fields', 'store', 'adapter', 'actions'],
  endpoints: ['pure', 'fields', 'store', 'adapter', 'actions', 'endpoints'],
  'dev-seed': ['pure', 'fields', 'store', 'adapter', 'actions', 'endpoints'],
  index: ['pure', 'fields', 'store', 'adapter', 'actions', 'endpoints', 'dev-seed'],
}

/** The role of a file of a feature; nothing for other files. */
export function roleOf(file: string): string | undefined {
  if (featureOf(file) === undefined || file.endsWith('.test.ts')) return undefined
  const name = /([^/]+)\.ts$/.exec(file)?.[1] ?? ''
  return [name, name.replace(/^.*-/, '')].find((role) => role in ROLES) ?? 'pure'
}

/** Why `from` may not import `to` (both paths from the root of the checkout), or nothing if it may. */
export function arrowProblem(from: string, to: string): string | undefined {
  const [source, target] = [areaOf(from), areaOf(to)]
  if (isScript(from)) return to.startsWith('test/') ? 'what a script needs is no test support' : undefined
  if (source === undefined) return undefined
  if (SHARED.has(to)) return undefined
  if (to.startsWith('test/') || to.startsWith('bench/')) return 'the product does not import its tests'
  if (target === undefined) return `${to} belongs to no known part; place it in scripts/boundaries/arrows.ts`
  if (source === target) return source === 'product' ? featureProblem(from, to) : undefined
  if (target === 'compat' && isEdge(from)) return undefined
  if (!reachableFrom(ARROWS, source).has(target)) return `${source} may not import ${target}; ${advice(source, target)}`
  if (target === 'product' && !to.endsWith('/index.ts')) return 'a feature is reached through its index.ts only'
  return undefined
}

function featureProblem(from: string, to: string): string | undefined {
  const [source, target] = [featureOf(from), featureOf(to)]
  if (source === undefined)
    return to.endsWith('/index.ts') ? undefined : 'the list of features imports only index.ts files'
  if (source === target) return roleProblem(from, to)
  if (target === undefined) return 'a feature does not import the list of features'
  const unknown = [source, target].find((name) => !(placeOf(name) in FEATURES))
  if (unknown) return `feature '${unknown}' has no place yet; add it to FEATURES in scripts/boundaries/arrows.ts`
  if (!reachableFrom(FEATURES, placeOf(source)).has(placeOf(target)))
    return `${source} may not import ${target}; ${sharedAdvice}`
  const [role = '', other = ''] = [roleOf(from), roleOf(to)]
  const isPart = (role === 'pure' && other === 'pure') || (role === 'fields' && ['pure', 'fields'].includes(other))
  if (to === `server/product/${target}/index.ts` || isPart) return undefined
  return `import ${target}/index.ts instead, its public interface`
}

const sharedAdvice = 'what both share belongs in the lower feature, written through its actions'

function roleProblem(from: string, to: string): string | undefined {
  const [role = '', other = ''] = [roleOf(from), roleOf(to)]
  if (ROLES[role]?.includes(other)) return undefined
  return `a file of role ${role} may not import one of role ${other}; what both need belongs into a file of types and rules`
}

/** Features may use vendor spellings only in files about the wire, or in lists of what is sent over it. */
const isEdge = (file: string): boolean => ['fields', 'endpoints'].includes(roleOf(file) ?? '')

const isScript = (file: string): boolean => file.startsWith('scripts/') && !file.endsWith('.test.ts')

function advice(source: string, target: string): string {
  if (source === 'product' && target === 'http') return 'throw a failure kind or return data, http renders it'
  if (source === 'http' && target === 'product') return 'app.ts connects the two'
  if (target === 'compat') return 'vendor names are translated at the edge'
  if (source.startsWith('web') && !/^(web|api-client)/.test(target)) return 'what the server knows comes by its API'
  if (source.startsWith('web')) return 'what both need belongs in web/src/kit or web/src/frame'
  return 'move the shared part down, or pass it in as an argument'
}

/** The part of the tree a file belongs to; nothing for tests, benches and scripts. */
export function areaOf(file: string): string | undefined {
  if (/\.test\.ts$/.test(file)) return undefined
  const [top, second = '', third = ''] = file.split('/')
  if (top === 'cli' || top === 'runner' || top === 'api-client') return top
  if (top === 'web' && second === 'src') return third.includes('.') ? 'web' : known(`web/${third}`)
  if (top !== 'server') return undefined
  if (second === 'main.ts') return 'main'
  if (second === 'version.ts') return 'kernel'
  if (second.endsWith('.ts')) return 'app'
  return known(second)
}

const known = (area: string): string | undefined => (area in ARROWS ? area : undefined)

/** The feature of a file, as FEATURES names it; one that has no place there yet is named after its folder. */
export function featureOf(file: string): string | undefined {
  const [, path] = /^server\/product\/(.+)$/.exec(file) ?? []
  if (path === undefined || !path.includes('/')) return undefined
  const folders = path.split('/').slice(0, -1)
  const known = [2, 3, 1].map((depth) => folders.slice(0, depth).join('/')).find((name) => placeOf(name) in FEATURES)
  return known ?? folders.slice(0, 2).join('/')
}

/** The line of FEATURES that is about a feature: its own, or one for all features of its folder. */
const placeOf = (feature: string): string => (feature in FEATURES ? feature : feature.replace(/[^/]+$/, '*'))

function reachableFrom(
  arrows: Record<string, readonly string[]>,
  from: string,
  seen: Set<string> = new Set(),
): Set<string> {
  for (const next of arrows[from] ?? []) {
    if (seen.has(next)) continue
    seen.add(next)
    reachableFrom(arrows, next, seen)
  }
  return seen
}
