import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { base } from './api/client.ts'
import { Frame } from './frame/Frame.tsx'
import { NoSuchPage, PageFailed } from './frame/NoSuchPage.tsx'
import { Bars } from './kit/Answer.tsx'
import { Home } from './overview/Home.tsx'
import { peopleRoutes } from './people/routes.ts'
import { secretsRoutes } from './secrets/routes.ts'
import { snapshotRoutes } from './snapshots/routes.ts'
import { systemRoutes } from './system/routes.ts'
import { workspaceRoutes } from './workspaces/routes.ts'

/** Around every page. */
export const root = createRootRoute({ component: Frame, notFoundComponent: NoSuchPage })

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })

/** Where people go who knew the older address of their workspaces. */
const oldHome = createRoute({ getParentRoute: () => root, path: 'workspaces', component: Home })

/** All pages of an organization. */
export const organization = createRoute({
  getParentRoute: () => root,
  path: '$organization',
  staticData: { crumb: '$organization' },
})

/** All pages of the server. */
export const server = createRoute({ getParentRoute: () => root, path: 'server', staticData: { crumb: 'This server' } })

const organizationHome = createRoute({ getParentRoute: () => organization, path: '/', component: Home })

const serverHome = createRoute({
  getParentRoute: () => server,
  path: '/',
  component: lazyRouteComponent(() => import('./system/SystemPage.tsx'), 'SystemPage'),
})

const overview = createRoute({
  getParentRoute: () => organization,
  path: 'overview',
  staticData: { crumb: 'Overview' },
  component: lazyRouteComponent(() => import('./overview/OverviewPage.tsx'), 'OverviewPage'),
})

const tree = root.addChildren([
  home,
  oldHome,
  ...peopleRoutes.own(root),
  organization.addChildren([
    organizationHome,
    overview,
    ...workspaceRoutes(organization),
    ...peopleRoutes.organization(organization),
  ]),
  server.addChildren([serverHome, ...secretsRoutes(server), ...snapshotRoutes(server), ...systemRoutes(server)]),
])

/** All pages; each area is loaded when it is opened. */
export const router = createRouter({
  routeTree: tree,
  basepath: base,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: Bars,
  defaultErrorComponent: PageFailed,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
