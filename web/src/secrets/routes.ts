import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { certificateRoutes } from './certificates/routes.ts'
import { secretSearch } from './kv/searches.ts'
import { methodSearch } from './methods/searches.ts'
import { listSearch, mountsSearch, tabSearch, trySearch } from './searches.ts'

const policyRoutes = <Parent extends AnyRoute>(secrets: Parent) => {
  const policies = createRoute({
    getParentRoute: () => secrets,
    path: 'policies',
    staticData: { crumb: 'Policies' },
  })
  const policyList = createRoute({
    getParentRoute: () => policies,
    path: '/',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./policies/PoliciesPage.tsx'), 'PoliciesPage'),
  })
  const policy = createRoute({
    getParentRoute: () => policies,
    path: '$',
    validateSearch: tabSearch,
    staticData: { crumb: '$_splat' },
    component: lazyRouteComponent(() => import('./policies/PolicyPage.tsx'), 'PolicyPage'),
  })
  return policies.addChildren([policyList, policy])
}

const entityRoutes = <Parent extends AnyRoute>(secrets: Parent) => {
  const entities = createRoute({
    getParentRoute: () => secrets,
    path: 'entities',
    staticData: { crumb: 'Entities' },
  })
  const entityList = createRoute({
    getParentRoute: () => entities,
    path: '/',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./identity/EntitiesPage.tsx'), 'EntitiesPage'),
  })
  const entity = createRoute({
    getParentRoute: () => entities,
    path: '$entity',
    validateSearch: tabSearch,
    staticData: { crumb: '$title' },
    component: lazyRouteComponent(() => import('./identity/EntityPage.tsx'), 'EntityPage'),
  })
  return entities.addChildren([entityList, entity])
}

const tokenRoutes = <Parent extends AnyRoute>(secrets: Parent) => {
  const tokens = createRoute({ getParentRoute: () => secrets, path: 'tokens', staticData: { crumb: 'Tokens' } })
  const tokenList = createRoute({
    getParentRoute: () => tokens,
    path: '/',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./tokens/TokensPage.tsx'), 'TokensPage'),
  })
  const token = createRoute({
    getParentRoute: () => tokens,
    path: '$accessor',
    staticData: { crumb: '$accessor' },
    component: lazyRouteComponent(() => import('./tokens/TokenPage.tsx'), 'TokenPage'),
  })
  return tokens.addChildren([tokenList, token])
}

const mountRoutes = <Parent extends AnyRoute>(secrets: Parent) => {
  const mounts = createRoute({ getParentRoute: () => secrets, path: 'mounts', staticData: { crumb: 'Mounts' } })
  const mountList = createRoute({
    getParentRoute: () => mounts,
    path: '/',
    validateSearch: mountsSearch,
    component: lazyRouteComponent(() => import('./mounts/MountsPage.tsx'), 'MountsPage'),
  })
  const mount = createRoute({
    getParentRoute: () => mounts,
    path: '$',
    staticData: { crumb: '$_splat' },
    component: lazyRouteComponent(() => import('./mounts/MountPage.tsx'), 'MountPage'),
  })
  return mounts.addChildren([mountList, mount])
}

const kvRoutes = <Parent extends AnyRoute>(secrets: Parent) => {
  const browse = createRoute({ getParentRoute: () => secrets, path: 'browse', staticData: { crumb: 'Browse' } })
  const engines = createRoute({
    getParentRoute: () => browse,
    path: '/',
    component: lazyRouteComponent(() => import('./kv/FolderPage.tsx'), 'BrowsePage'),
  })
  const folder = createRoute({
    getParentRoute: () => browse,
    path: '$',
    validateSearch: listSearch,
    staticData: { crumb: '$_splat' },
    component: lazyRouteComponent(() => import('./kv/FolderPage.tsx'), 'FolderPage'),
  })
  const secret = createRoute({
    getParentRoute: () => secrets,
    path: 'secret/$',
    validateSearch: secretSearch,
    staticData: { crumb: '$_splat' },
    component: lazyRouteComponent(() => import('./kv/SecretPage.tsx'), 'SecretPage'),
  })
  const newSecret = createRoute({
    getParentRoute: () => secrets,
    path: 'new-secret/$',
    staticData: { crumb: 'New secret' },
    component: lazyRouteComponent(() => import('./kv/NewSecretPage.tsx'), 'NewSecretPage'),
  })
  return [browse.addChildren([engines, folder]), secret, newSecret] as const
}

/** The pages about what tokens may do, who has them, and what is recorded of it. */
const accessRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const secrets = createRoute({
    getParentRoute: () => parent,
    path: 'secrets',
    staticData: { crumb: 'Secrets' },
    component: lazyRouteComponent(() => import('./SecretsArea.tsx'), 'SecretsArea'),
  })
  const home = createRoute({
    getParentRoute: () => secrets,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/server/secrets/browse' as never })
    },
  })
  const newPolicy = createRoute({
    getParentRoute: () => secrets,
    path: 'new-policy',
    staticData: { crumb: 'New policy' },
    component: lazyRouteComponent(() => import('./policies/PolicyPage.tsx'), 'NewPolicyPage'),
  })
  const tryPath = createRoute({
    getParentRoute: () => secrets,
    path: 'try',
    validateSearch: trySearch,
    staticData: { crumb: 'Try a path' },
    component: lazyRouteComponent(() => import('./policies/TryPage.tsx'), 'TryPage'),
  })
  const method = createRoute({
    getParentRoute: () => secrets,
    path: 'methods/$',
    validateSearch: methodSearch,
    staticData: { crumb: '$_splat' },
    component: lazyRouteComponent(() => import('./methods/MethodPage.tsx'), 'MethodPage'),
  })
  const audit = createRoute({
    getParentRoute: () => secrets,
    path: 'audit',
    staticData: { crumb: 'Audit' },
    component: lazyRouteComponent(() => import('./audit-devices/AuditPage.tsx'), 'AuditPage'),
  })
  const limits = createRoute({
    getParentRoute: () => secrets,
    path: 'limits',
    staticData: { crumb: 'Rate limits' },
    component: lazyRouteComponent(() => import('./quotas/LimitsPage.tsx'), 'LimitsPage'),
  })
  return secrets.addChildren([
    home,
    ...kvRoutes(secrets),
    policyRoutes(secrets),
    newPolicy,
    tryPath,
    entityRoutes(secrets),
    tokenRoutes(secrets),
    mountRoutes(secrets),
    method,
    audit,
    limits,
  ])
}

/** The pages of `/v1`, which belong to the whole server. */
export const secretsRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [certificateRoutes(parent), accessRoutes(parent)] as const
