import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRefresh } from '../api/answers.ts'
import { noteFailure } from '../api/connection.ts'

/** Changes that come in one after another are shown together. */
const pauseMs = 400

const subjects = ['workspaces', 'runs', 'state-versions', 'changes', 'attention']
const waitingKey = ['waiting-changes']

/** True while somebody reads further down a long list, whose rows must not jump. */
const isListRead = (): boolean =>
  document.querySelector('main table[aria-rowcount]') !== null &&
  (document.getElementById('content')?.scrollTop ?? 0) > 0

/** The changes that wait until whoever reads a list wants to see them, and how to show them. */
export function useWaitingChanges(): { readonly waiting: number; show(): Promise<void> } {
  const queries = useQueryClient()
  const refresh = useRefresh()
  const { data: waiting } = useQuery({ queryKey: waitingKey, queryFn: () => 0, enabled: false, initialData: 0 })
  const show = () => {
    queries.setQueryData(waitingKey, 0)
    return refresh(['workspaces'])
  }
  return { waiting, show }
}

/** Asks again for what has changed in this organization, as the server tells it while the connection is there. */
export function useLiveChanges(organization: string | undefined, isLost: boolean): void {
  const queries = useQueryClient()
  const refresh = useRefresh()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream belongs to the organization and the connection alone.
  useEffect(() => {
    if (organization === undefined || isLost) return
    const source = new EventSource(`/api/v2/organizations/${encodeURIComponent(organization)}/events`)
    let timer = 0
    let told = 0
    const show = () => {
      const isRead = isListRead()
      queries.setQueryData<number>(waitingKey, (before = 0) => (isRead ? before + told : 0))
      told = 0
      return refresh(subjects, isRead ? 'workspaces.list' : undefined)
    }
    const changed = () => {
      told++
      clearTimeout(timer)
      timer = window.setTimeout(show, pauseMs)
    }
    source.onmessage = changed
    for (const name of eventNames) source.addEventListener(name, changed)
    source.onopen = () => queries.setQueryData(['live'], true)
    source.onerror = () => {
      queries.setQueryData(['live'], false)
      noteFailure()
    }
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [organization, isLost])
}

const eventNames = ['locked', 'unlocked', 'changed', 'deleted', 'tags', 'state', 'run']
