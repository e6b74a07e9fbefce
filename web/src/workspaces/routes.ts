import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { historySearch } from './history/historySearch.ts'
import { listSearch } from './list/listSearch.ts'
import { runSearch } from './runs/runSearch.ts'
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
  const runs = createRoute({
    getParentRoute: () => parent,
    path: 'runs',
    staticData: { crumb: 'Runs' },
    validateSearch: runSearch,
    component: lazyRouteComponent(() => import('./runs/RunsPage.tsx'), 'RunsPage'),
  })
  return [workspaces.addChildren([list, workspaceRoute(workspaces)]), runs, runOfCommandLines(parent)] as const
}

/** The address of a run that command lines print. */
const runOfCommandLines = <Parent extends AnyRoute>(parent: Parent) =>
  createRoute({
    getParentRoute: () => parent,
    path: '$name/runs/$run',
    beforeLoad: ({ params }) => {
      throw redirect({
        to: '/$organization/workspaces/$name/runs/$run' as never,
        params: params as never,
        replace: true,
      })
    },
  })

/** The pages of one workspace. */
function workspaceRoute<Parent extends AnyRoute>(parent: Parent) {
  const workspace = createRoute({
    getParentRoute: () => parent,
    path: '$name',
    staticData: { crumb: '$name' },
  })
  return workspace.addChildren([workspaceTabs(workspace), runRoutes(workspace)])
}

const workspaceFrame = lazyRouteComponent(() => import('./WorkspacePage.tsx'), 'WorkspacePage')

/** The runs of a workspace as one of its pages, and each run on a page of its own. */
function runRoutes<Parent extends AnyRoute>(parent: Parent) {
  const runs = createRoute({ getParentRoute: () => parent, path: 'runs', staticData: { crumb: 'Runs' } })
  const frame = createRoute({ getParentRoute: () => runs, id: 'list', component: workspaceFrame })
  const list = createRoute({
    getParentRoute: () => frame,
    path: '/',
    validateSearch: runSearch,
    component: lazyRouteComponent(() => import('./runs/RunsTab.tsx'), 'RunsTab'),
  })
  const run = createRoute({
    getParentRoute: () => runs,
    path: '$run',
    staticData: { crumb: '$title' },
    component: lazyRouteComponent(() => import('./runs/RunPage.tsx'), 'RunPage'),
  })
  return runs.addChildren([frame.addChildren([list]), run])
}

/** The other pages of a workspace. */
function workspaceTabs<Parent extends AnyRoute>(parent: Parent) {
  const frame = createRoute({ getParentRoute: () => parent, id: 'tabs', component: workspaceFrame })
  const own = { getParentRoute: () => frame } as const
  return frame.addChildren([
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
