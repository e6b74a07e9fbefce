import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** The page of the server itself. */
export const systemRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const system = createRoute({
    getParentRoute: () => parent,
    path: 'system',
    staticData: { crumb: 'System' },
    component: lazyRouteComponent(() => import('./SystemPage.tsx'), 'SystemPage'),
  })
  return [system] as const
}
