import { siteAdministrator } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { authorOf, recordChange } from '../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { attribute, looseBody } from '../../../kit/jsonapi/index.ts'
import { nothing } from '../../../kit/reply.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { deletePause, insertPause } from './pause-store.ts'

const subject = { organizationId: '', subject: { type: 'site', id: 'runs', name: 'runs' } }

/** The switch that lets nothing new begin, such as before an upgrade; what is executed goes on. */
export const pauseEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'admin-runs.pause',
    route: 'POST /admin/runs/actions/pause',
    summary: 'Let no plan and no apply begin on this site; those that are executed go on.',
    access: siteAdministrator(),
    body: looseBody({ reason: attribute.text('Why; waiting runs say it.', { nullable: true, maxLength: 1_024 }) }),
    returns: { 200: null },
    fails: ['missing', 'conflict', 'invalid'],
    handle: async (call) => {
      const { deps, body } = call
      const pause = { reason: body.attributes.reason ?? '', by: call.subject.name, since: deps.clock.now() }
      await inTransaction(deps.db, async (tx) => {
        if (!(await insertPause(tx, pause))) throw failure('conflict', 'runs.paused', 'Runs are paused already.')
        await recordChange(deps, tx, authorOf(call), { ...subject, action: 'pause', after: { reason: pause.reason } })
      })
      return nothing(200)
    },
  }),
  endpoint({
    id: 'admin-runs.resume',
    route: 'POST /admin/runs/actions/resume',
    summary: 'Let plans and applies begin again, in their order.',
    access: siteAdministrator(),
    body: looseBody({}),
    returns: { 200: null },
    fails: ['missing', 'conflict', 'invalid'],
    handle: async (call) => {
      const { deps } = call
      await inTransaction(deps.db, async (tx) => {
        if (!(await deletePause(tx))) throw failure('conflict', 'runs.not-paused', 'Runs are not paused.')
        await recordChange(deps, tx, authorOf(call), { ...subject, action: 'resume' })
      })
      return nothing(200)
    },
  }),
])
