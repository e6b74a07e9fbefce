import { type AnyRoute, createRoute, lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router'
import { explainSearch, loginsSearch, mountSearch, roleSearch, rolesSearch } from './searches.ts'

/** The first page. */
const homeOf = <Parent extends AnyRoute>(certificates: Parent) =>
  createRoute({
    getParentRoute: () => certificates,
    path: '/',
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/server/certificates/roles', search } as never)
    },
  })

/** The pages of roles. */
const roleRoutes = <Parent extends AnyRoute>(certificates: Parent) => {
  const roles = createRoute({
    getParentRoute: () => certificates,
    path: 'roles',
    staticData: { crumb: 'Roles' },
  })
  const roleList = createRoute({
    getParentRoute: () => roles,
    path: '/',
    validateSearch: rolesSearch,
    component: lazyRouteComponent(() => import('./RolesPage.tsx'), 'RolesPage'),
  })
  const role = createRoute({
    getParentRoute: () => roles,
    path: '$role',
    validateSearch: roleSearch,
    staticData: { crumb: '$role' },
    component: lazyRouteComponent(() => import('./RolePage.tsx'), 'RolePage'),
  })
  return roles.addChildren([roleList, role])
}

/** The pages of certificate login. */
export const certificateRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const certificates = createRoute({
    getParentRoute: () => parent,
    path: 'certificates',
    validateSearch: mountSearch,
    search: { middlewares: [retainSearchParams(['mount'])] },
    staticData: { crumb: 'Certificate login' },
  })
  const newRole = createRoute({
    getParentRoute: () => certificates,
    path: 'new-role',
    staticData: { crumb: 'New role' },
    component: lazyRouteComponent(() => import('./RolePage.tsx'), 'NewRolePage'),
  })
  const lists = createRoute({
    getParentRoute: () => certificates,
    path: 'crls',
    staticData: { crumb: 'Revocation lists' },
    component: lazyRouteComponent(() => import('./ListsPage.tsx'), 'ListsPage'),
  })
  const logins = createRoute({
    getParentRoute: () => certificates,
    path: 'logins',
    validateSearch: loginsSearch,
    staticData: { crumb: 'Logins' },
    component: lazyRouteComponent(() => import('./LoginsPage.tsx'), 'LoginsPage'),
  })
  const explain = createRoute({
    getParentRoute: () => certificates,
    path: 'explain',
    validateSearch: explainSearch,
    staticData: { crumb: 'Explain' },
    component: lazyRouteComponent(() => import('./ExplainPage.tsx'), 'ExplainPage'),
  })
  const trust = createRoute({
    getParentRoute: () => certificates,
    path: 'trust',
    staticData: { crumb: 'Trust map' },
    component: lazyRouteComponent(() => import('./TrustPage.tsx'), 'TrustPage'),
  })
  const settings = createRoute({
    getParentRoute: () => certificates,
    path: 'settings',
    staticData: { crumb: 'Settings' },
    component: lazyRouteComponent(() => import('./SettingsPage.tsx'), 'SettingsPage'),
  })
  return certificates.addChildren([
    homeOf(certificates),
    roleRoutes(certificates),
    newRole,
    lists,
    logins,
    explain,
    trust,
    settings,
  ])
}
