import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team } from '../../../../../../test/support/platform.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

eachEngine((engine) => {
  const setUp = async () => {
    const { log, text } = recordingLog()
    const app = await ownCertApp({ engine, log })
    const write = async (fields: object) =>
      (await app.root.post('/v1/auth/cert/certs/ci', { certificate: app.ca.pem, ...fields })).body?.warnings ?? []
    return { app, text, write, ann: await person(app, 'ann') }
  }

  test('links: a role whose team has not agreed gets warnings until it has, and the log says why its token fails', async () => {
    const { app, text, write, ann } = await setUp()
    const deploy = await team(await organization(ann, 'acme'), 'deploy')
    const explain = async () =>
      (await app.root.post('/v1/auth/cert/certs/ci/check', { certificate: app.leaf().pem })).body.data
    const login = async () => mustBe(await app.login(app.leaf(), { name: 'ci' }), 200).body
    const about = { check: 'platform_team', ok: true }
    expect(await write({ platform_team: 'acme/deploy' })).toEqual([expect.stringContaining(deploy.id)])
    const before = await login()
    expect(before.warnings).toEqual([expect.stringContaining('/v1 only')])
    expect(await explain()).toMatchObject({
      accepted: true,
      checks: expect.arrayContaining([expect.objectContaining(about)]),
    })
    const robot = app.anonymous.as(before.auth.client_token)
    mustBe(await robot.get('/api/v2/account/details'), 401)
    expect(text()).toContain("The team 'acme/deploy' of the token does not allow it")
    mustBe(await ann.patch(`/api/v2/teams/${deploy.id}`, doc('teams', { 'allow-certificate-login': true })), 200)
    mustBe(await robot.get('/api/v2/account/details'), 200)
    expect([await write({}), (await login()).warnings]).toEqual([[], null])
    expect((await explain()).checks).not.toContainEqual(expect.objectContaining(about))
  })

  test('links: a role whose person has not agreed gets a warning until they have', async () => {
    const { write, ann } = await setUp()
    expect(await write({ platform_user: 'ann' })).toEqual([expect.stringContaining("sign in as 'ann'")])
    mustBe(await ann.patch('/api/v2/account/update', doc('users', { 'allow-certificate-login': true })), 200)
    expect(await write({ display_name: 'x' })).toEqual([])
  })
})
