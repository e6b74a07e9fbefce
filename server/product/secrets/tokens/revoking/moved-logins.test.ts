import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { tokenCalls } from '../../../../../test/support/token-calls.ts'
import type { JobRun } from '../../../../kit/job.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { loginsJobName, revocationJobs } from './revocation-actions.ts'

type App = Awaited<ReturnType<typeof ownCertApp>>

const move = async (app: App, from: string, to: string): Promise<number> =>
  (await app.root.post('/v1/sys/remount', { from: `auth/${from}`, to: `auth/${to}` })).status

const lookUp = async (app: App, token: string): Promise<number> =>
  (await app.root.as(token).get('/v1/auth/token/lookup-self')).status

/** Logs in at `auth/cert`, and makes a child of the token. */
async function loginWithChild(app: App): Promise<{ token: string; child: string }> {
  const calls = await tokenCalls(app)
  await calls.policy('parent', 'path "auth/token/create" { capabilities = ["update"] }')
  await app.role('web', { certificate: app.ca.pem, token_policies: 'parent' })
  const { client_token: token } = (await app.login(app.leaf())).body.auth
  const { client_token: child } = (await app.root.as(token).post('/v1/auth/token/create', {})).body.auth
  return { token, child }
}

/** Makes the clean-up of moves fail, as if the database were gone right after the move. */
function failCleanUp({ deps }: App): void {
  const moved = () => Promise.reject(new Error('The database is gone.'))
  Object.assign(deps.parts, { mountStep: partsOf(deps, 'mountStep').map((step) => ({ ...step, moved })) })
}

/** Does what a node does when the job of a move is due. */
async function runPlanned({ deps }: App): Promise<void> {
  const planned = await deps.db.selectFrom('jobs').selectAll().where('kind', '=', loginsJobName).execute()
  expect(planned).toHaveLength(1)
  const job = revocationJobs.find(({ name }) => name === loginsJobName)
  for (const { key, payload } of planned) await job?.run(deps, { key, payload: JSON.parse(payload) } as JobRun)
}

const storedLogins = async ({ deps }: App): Promise<number> =>
  (await deps.db.selectFrom('tokens').select('id').where('mount_id', '<>', '').execute()).length

eachEngine((engine) => {
  test.each(['service', 'batch'])('a %s token of a moved mount stays dead when the mount moves back', async (type) => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem, token_type: type })
    const leaf = app.leaf()
    const { client_token: before } = (await app.login(leaf)).body.auth
    expect([await lookUp(app, before), await move(app, 'cert', 'edge'), await lookUp(app, before)]).toEqual([
      200, 200, 403,
    ])
    const { client_token: between } = (await app.with(leaf).post('/v1/auth/edge/login')).body.auth
    expect(await lookUp(app, between)).toBe(200)
    expect(await move(app, 'edge', 'cert')).toBe(200)
    expect([await lookUp(app, before), await lookUp(app, between)]).toEqual([403, 403])
    const { client_token: after } = (await app.login(leaf)).body.auth
    expect(await lookUp(app, after)).toBe(200)
  })

  test('the tokens of a moved mount are removed with their children when the move is answered', async () => {
    const app = await ownCertApp({ engine })
    const { token, child } = await loginWithChild(app)
    expect([await lookUp(app, child), await storedLogins(app)]).toEqual([200, 1])
    expect(await move(app, 'cert', 'edge')).toBe(200)
    expect([await lookUp(app, token), await lookUp(app, child), await storedLogins(app)]).toEqual([403, 403, 0])
  })

  test('if the removal fails, the move is done, its tokens are dead, and a job removes them', async () => {
    const app = await ownCertApp({ engine })
    const { token, child } = await loginWithChild(app)
    failCleanUp(app)
    expect([await move(app, 'cert', 'edge'), await lookUp(app, token)]).toEqual([200, 403])
    await runPlanned(app)
    expect([await lookUp(app, child), await storedLogins(app)]).toEqual([403, 0])
    expect(await move(app, 'edge', 'cert')).toBe(200)
    expect([await lookUp(app, token), await lookUp(app, child)]).toEqual([403, 403])
  })

  test('a mount that is enabled at the old path meanwhile keeps its tokens', async () => {
    const app = await ownCertApp({ engine })
    const { child } = await loginWithChild(app)
    failCleanUp(app)
    expect(await move(app, 'cert', 'edge')).toBe(200)
    expect((await app.root.post('/v1/sys/auth/cert', { type: 'cert' })).status).toBe(204)
    await app.role('web', { certificate: app.ca.pem })
    const { client_token: young } = (await app.login(app.leaf())).body.auth
    await runPlanned(app)
    expect([await lookUp(app, young), await lookUp(app, child)]).toEqual([200, 403])
  })

  test('tuning a moved mount changes nothing for its tokens', async () => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem, token_type: 'batch' })
    expect(await move(app, 'cert', 'edge')).toBe(200)
    const { client_token: token } = (await app.with(app.leaf()).post('/v1/auth/edge/login')).body.auth
    expect((await app.root.post('/v1/sys/auth/edge/tune', { description: 'moved' })).status).toBe(204)
    expect(await lookUp(app, token)).toBe(200)
  })
})
