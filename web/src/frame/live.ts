import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRefresh } from '../api/answers.ts'

/** Changes that come in one after another are shown together. */
const pauseMs = 400

/** Asks again for what has changed in this organization, as the server tells it. */
export function useLiveChanges(organization: string | undefined): void {
  const queries = useQueryClient()
  const refresh = useRefresh()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream belongs to the organization alone.
  useEffect(() => {
    if (organization === undefined) return
    const source = new EventSource(`/api/v2/organizations/${encodeURIComponent(organization)}/events`)
    let timer = 0
    const changed = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => refresh(['workspaces', 'state-versions', 'changes', 'attention']), pauseMs)
    }
    source.onmessage = changed
    for (const name of eventNames) source.addEventListener(name, changed)
    source.onopen = () => queries.setQueryData(['live'], true)
    source.onerror = () => queries.setQueryData(['live'], false)
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [organization])
}

const eventNames = ['locked', 'unlocked', 'changed', 'deleted', 'tags', 'state']
