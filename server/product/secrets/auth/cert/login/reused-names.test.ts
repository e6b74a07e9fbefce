import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import type { Client } from '../../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { doc, join, mustBe, organization, person, team } from '../../../../../../test/support/platform.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

const allowed = { 'allow-certificate-login': true }
const details = '/api/v2/account/details'

eachEngine((engine) => {
  const setUp = async () => {
    const { log, text } = recordingLog()
    const app = await ownCertApp({ engine, log })
    const login = () => app.login(app.leaf({ commonName: 'web-1' }), { name: 'ci' })
    const robot = async (): Promise<Client> => app.anonymous.as(mustBe(await login(), 200).body.auth.client_token)
    const link = (fields: object) => app.role('ci', { certificate: app.ca.pem, ...fields })
    return { app, ann: await person(app, 'ann'), login, robot, link, text }
  }
  const rename = async (by: Client, id: string, name: string, status = 200) =>
    mustBe(await by.patch(`/api/v2/teams/${id}`, doc('teams', { name })), status)

  test.each(['service', 'batch'])(
    'links: a %s token does not follow the name of its team to another team',
    async (type) => {
      const { app, ann, login, robot, link, text } = await setUp()
      const acme = await organization(ann, 'acme')
      const dev = await team(acme, 'dev', allowed)
      const ops = await team(acme, 'ops', allowed)
      await link({ platform_team: 'acme/dev', token_type: type })
      const before = await robot()
      mustBe(await before.get(details), 200)
      await rename(ann, dev.id, 'dev-old')
      mustBe(await before.get(details), 401)
      await rename(ann, ops.id, 'dev')
      expect(mustBe(await before.get(details), 401).body.errors[0]).toMatchObject({ code: 'token.invalid' })
      const refused = mustBe(await login(), 400)
      expect(refused.text).not.toContain('acme')
      expect(text()).toContain("The team 'acme/dev' has been renamed or replaced since the role was written.")
      const explained = await app.root.post('/v1/auth/cert/explain', { certificate: app.leaf().pem, name: 'ci' })
      expect(explained.text).toContain('renamed or replaced')
      // A write that does not send the name leaves the link as it is.
      await link({ display_name: 'other' })
      mustBe(await login(), 400)
      await link({ platform_team: 'acme/dev' })
      const { data } = mustBe(await (await robot()).get(details), 200).body
      expect(data.relationships['authenticated-resource'].data.id).toBe(ops.id)
      mustBe(await before.get(details), 401)
    },
  )

  test('links: nobody takes over a pipeline by taking the old name of its organization', async () => {
    const { app, ann, login, robot, link } = await setUp()
    await team(await organization(ann, 'acme'), 'deploy', allowed)
    await link({ platform_team: 'acme/deploy' })
    const before = await robot()
    mustBe(await before.get(details), 200)
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { name: 'acme-2' })), 200)
    await team(await organization(await person(app, 'mallory'), 'acme'), 'deploy', allowed)
    mustBe(await before.get(details), 401)
    mustBe(await login(), 400)
    await link({ platform_team: 'acme-2/deploy' })
    mustBe(await (await robot()).get(details), 200)
  })

  test('links: a certificate does not sign in another person who takes the name', async () => {
    const { app, ann, link, text } = await setUp()
    const signIn = async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return app.with(app.leaf()).post('/app/sign-in', undefined, { raw: 'certificate=true', headers })
    }
    const rename = async (who: Client, username: string) =>
      mustBe(await who.patch('/api/v2/account/update', doc('users', { username, ...allowed })), 200)
    await link({ platform_user: 'ann' })
    await rename(ann, 'ann')
    mustBe(await signIn(), 303)
    await rename(ann, 'anna')
    await rename(await person(app, 'bob'), 'ann')
    mustBe(await signIn(), 401)
    expect(text()).toContain("The user 'ann' has been renamed or replaced; write 'platform_user' again.")
    await link({ platform_user: 'anna' })
    mustBe(await signIn(), 303)
  })

  test('links: a role that names an unknown team or person gets 400', async () => {
    const { app } = await setUp()
    const write = (fields: object) => app.root.post('/v1/auth/cert/certs/ci', { certificate: app.ca.pem, ...fields })
    const noTeam = mustBe(await write({ platform_team: 'acme/none' }), 400)
    expect(noTeam.body.errors).toEqual(["Field 'platform_team' names 'acme/none', but there is no such team."])
    const noUser = mustBe(await write({ platform_user: 'nobody' }), 400)
    expect(noUser.body.errors).toEqual(["Field 'platform_user' names 'nobody', but there is no such user."])
    mustBe(await app.root.get('/v1/auth/cert/certs/ci'), 404)
  })

  test('teams: whoever may not hand out the access of a team may not rename it either', async () => {
    const { app, ann } = await setUp()
    const acme = await organization(ann, 'acme')
    const managers = await team(acme, 'managers', { 'organization-access': { 'manage-teams': true } })
    const dev = await team(acme, 'dev')
    const ops = await team(acme, 'ops', { 'organization-access': { 'manage-workspaces': true } })
    const mallory = await person(app, 'mallory')
    await join(acme, mallory, [managers.id])
    await rename(mallory, dev.id, 'dev-old')
    const refused = await rename(mallory, ops.id, 'dev', 403)
    expect(refused.body.errors[0]).toMatchObject({ code: 'team.too-much' })
    mustBe(await mallory.patch(`/api/v2/teams/${ops.id}`, doc('teams', { name: 'ops' })), 200)
    await rename(ann, ops.id, 'dev')
  })
})
