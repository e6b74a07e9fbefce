import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ApiFailure, call, isMissing } from '../api/client.ts'
import { destinationOf, proofWord, type Schedule } from './schedule.ts'

/** The names of a list; an empty list is answered with 404 and no reason. */
async function names(): Promise<readonly string[]> {
  try {
    const { data } = await call('snapshots.list-configs', { params: { query: { list: 'true' } } })
    return data.keys
  } catch (error) {
    if (isMissing(error) && error instanceof ApiFailure && error.complaints.length === 0) return []
    throw error
  }
}

async function loadSchedule(name: string): Promise<Schedule | undefined> {
  const params = { path: { name } }
  try {
    const [config, status] = await Promise.all([
      call('snapshots.read-config', { params }),
      call('snapshots.status', { params }),
    ])
    const settings = config.data as Record<string, unknown>
    return {
      name,
      interval: Number(settings.interval),
      retain: Number(settings.retain),
      destination: destinationOf(settings),
      settings,
      standing: status.data,
    }
  } catch (error) {
    // It was deleted in the meantime.
    if (isMissing(error)) return undefined
    throw error
  }
}

async function loadSchedules(): Promise<readonly Schedule[]> {
  const found = await Promise.all((await names()).map(loadSchedule))
  return found.filter((schedule) => schedule !== undefined)
}

const isBusy = (schedule: Schedule): boolean =>
  schedule.standing.state === 'running' || proofWord(schedule).word === 'Not proved yet'

/** All schedules, with how they stand; more often while one works. */
export const useSchedules = (): UseQueryResult<readonly Schedule[]> =>
  useQuery({
    queryKey: ['snapshots.list-configs', {}],
    queryFn: loadSchedules,
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? 2_000 : 20_000),
  })
