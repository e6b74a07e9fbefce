import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { historySearch } from './history/historySearch.ts'
import { listSearch } from './list/listSearch.ts'
import { stateSearch } from './state/stateSearch.ts'

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
    component: lazyRouteComponent(() => import('./list/ListPage.tsx'), 'ListPage'),
  })
  return [workspaces.addChildren([list, workspaceRoute(workspaces)])] as const
}

/** The pages of one workspace. */
function workspaceRoute<Parent extends AnyRoute>(parent: Parent) {
  const workspace = createRoute({
    getParentRoute: () => parent,
    path: '$name',
    staticData: { crumb: '$name' },
    component: lazyRouteComponent(() => import('./WorkspacePage.tsx'), 'WorkspacePage'),
  })
  const own = { getParentRoute: () => workspace } as const
  return workspace.addChildren([
    createRoute({
      ...own,
      path: '/',
      component: lazyRouteComponent(() => import('./overview/OverviewTab.tsx'), 'OverviewTab'),
    }),
    createRoute({
      ...own,
      path: 'state',
      validateSearch: stateSearch,
      component: lazyRouteComponent(() => import('./state/StateTab.tsx'), 'StateTab'),
    }),
    createRoute({
      ...own,
      path: 'resources',
      component: lazyRouteComponent(() => import('./state/ResourcesTab.tsx'), 'ResourcesTab'),
    }),
    createRoute({
      ...own,
      path: 'variables',
      component: lazyRouteComponent(() => import('./variables/VariablesTab.tsx'), 'VariablesTab'),
    }),
    createRoute({
      ...own,
      path: 'access',
      component: lazyRouteComponent(() => import('./access/AccessTab.tsx'), 'AccessTab'),
    }),
    createRoute({
      ...own,
      path: 'history',
      validateSearch: historySearch,
      component: lazyRouteComponent(() => import('./history/HistoryTab.tsx'), 'HistoryTab'),
    }),
    createRoute({
      ...own,
      path: 'settings',
      component: lazyRouteComponent(() => import('./settings/SettingsTab.tsx'), 'SettingsTab'),
    }),
    ...formerAddresses(own),
  ])
}

/** Addresses that people have kept from before. */
const formerAddresses = <Parent extends AnyRoute>(own: { readonly getParentRoute: () => Parent }) =>
  [
    createRoute({
      ...own,
      path: 'states',
      beforeLoad: ({ params }) => {
        throw redirect({ to: '/$organization/workspaces/$name/state' as never, params: params as never, replace: true })
      },
    }),
    createRoute({
      ...own,
      path: 'states/$version',
      beforeLoad: ({ params }) => {
        const { version } = params as { version: string }
        throw redirect({
          to: '/$organization/workspaces/$name/state' as never,
          params: params as never,
          search: { b: version } as never,
          replace: true,
        })
      },
    }),
  ] as const
