import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The pages of the server itself. */
export const systemRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const system = createRoute({ getParentRoute: () => parent, path: 'system', staticData: { crumb: 'System' } })
  const home = createRoute({
    getParentRoute: () => system,
    path: '/',
    component: lazyRouteComponent(() => import('./SystemPage.tsx'), 'SystemPage'),
  })
  const figures = createRoute({
    getParentRoute: () => system,
    path: 'figures',
    staticData: { crumb: 'Figures' },
    component: lazyRouteComponent(() => import('./FiguresPage.tsx'), 'FiguresPage'),
  })
  const jobs = createRoute({
    getParentRoute: () => system,
    path: 'jobs',
    staticData: { crumb: 'Background work' },
    component: lazyRouteComponent(() => import('./JobsPage.tsx'), 'JobsPage'),
  })
  const settings = createRoute({
    getParentRoute: () => system,
    path: 'settings',
    staticData: { crumb: 'Settings' },
    component: lazyRouteComponent(() => import('./InForcePage.tsx'), 'InForcePage'),
  })
  return [system.addChildren([home, figures, jobs, settings])] as const
}
