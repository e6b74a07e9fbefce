import { siteAdministrator } from '../../../access/permissions/index.ts'
import { maybeIso, toIso } from '../../../kernel/clock.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { type ListedJob, listJobs } from '../../../kit/jobs/lease-store.ts'
import {
  answerPage,
  entriesOn,
  listQuery,
  pageSchema,
  type Resource,
  rangeOf,
  resourceSchema,
  shown,
} from '../../../kit/jsonapi/index.ts'

const jobSchema = resourceSchema('jobs', {
  attributes: {
    kind: shown.text('What it does.'),
    subject: shown.text('What it is about; empty for work that there is once.'),
    state: shown.text('`running`, `failing` after a run that failed, `due`, or `waiting` for its time.'),
    'every-seconds': shown.maybeWhole('Seconds between two runs; null for work that is asked for.'),
    'next-run-at': shown.time('When it runs next.'),
    'last-started-at': shown.maybeTime('When it last began; null for never.'),
    'last-ok-at': shown.maybeTime('When it last succeeded; null for never.'),
    'last-error': shown.maybeText('Why the last run failed; null if it did not.'),
  },
})

const toJobResource = (job: ListedJob): Resource => ({
  type: 'jobs',
  id: `${job.kind}/${job.key}`,
  attributes: {
    kind: job.kind,
    subject: job.key === job.kind ? '' : job.key,
    state: job.state,
    'every-seconds': job.every === null ? null : Math.round(job.every / 1000),
    'next-run-at': toIso(job.nextRunAt),
    'last-started-at': maybeIso(job.lastStartedAt),
    'last-ok-at': maybeIso(job.lastOkAt),
    'last-error': job.lastError,
  },
})

const settingSchema = resourceSchema('settings', {
  attributes: {
    key: shown.text('Its name in the configuration file.'),
    value: shown.text('Its value, as people write it; secrets are masked.'),
    source: shown.text('Where it was set; `default` if nowhere.'),
  },
})

/** Background work and settings, for site administrators. */
export const systemEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'jobs.list',
    route: 'GET /admin/jobs',
    summary: 'List background work: what fails first, then by kind.',
    access: siteAdministrator(),
    query: listQuery(),
    returns: { 200: pageSchema(jobSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { reads, store } = call.deps
      const { jobs, total } = await listJobs(reads, await store.databaseNow(), rangeOf(call.query.page))
      return answerPage(call, { resources: jobs.map(toJobResource), total })
    },
  }),
  endpoint({
    id: 'settings.list',
    route: 'GET /admin/settings',
    summary: 'List the settings of the node that answers, with their values in force and where each was set.',
    access: siteAdministrator(),
    query: listQuery(),
    returns: { 200: pageSchema(settingSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { inForce } = call.deps.settings
      const resources = entriesOn(call.query.page, inForce).map(
        ({ key, shown: value, where }): Resource => ({
          type: 'settings',
          id: key,
          attributes: { key, value, source: where },
        }),
      )
      return answerPage(call, { resources, total: inForce.length })
    },
  }),
])
