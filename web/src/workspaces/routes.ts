import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from './listSearch.ts'

/** The pages of workspaces, below an organization. */
export const workspaceRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const workspaces = createRoute({
    getParentRoute: () => parent,
    path: 'workspaces',
    staticData: { crumb: 'Workspaces' },
  })
  const list = createRoute({
    getParentRoute: () => workspaces,
    path: '/',
    validateSearch: listSearch,
    component: lazyRouteComponent(() => import('./ListPage.tsx'), 'ListPage'),
  })
  return [workspaces.addChildren([list])] as const
}
