import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { eachEngine } from '../support/databases.ts'
import { doc, mustBe, organization, person, team } from '../support/platform.ts'
import { shared, sharedApp } from '../support/shared.ts'

type Fields = Record<string, unknown>

/** A resource whose fields can be written one by one. */
type Subject = { put(fields: Fields): Promise<Answer>; get(): Promise<Fields> }

const rounds = 6

/** In every round, different fields are changed at the same time, and every change must be there afterwards. */
async function expectNoneLost({ put, get }: Subject, changes: (round: number) => readonly Fields[]): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    const wanted = changes(round)
    const answers = await Promise.all(wanted.map(put))
    for (const { status, text } of answers) expect(status, text).toBeLessThan(300)
    expect(await get()).toMatchObject(Object.assign({}, ...wanted))
  }
}

eachEngine((engine) => {
  describe('concurrent changes of different fields are all kept', () => {
    const app = sharedApp({ engine })
    const ann = shared(() => person(app, 'ann'))
    const acme = shared(() => organization(ann, 'acme'))

    const document = (type: string, path: string, shown = path): Subject => ({
      put: (fields) => ann.patch(path, doc(type, fields)),
      get: async () => mustBe(await ann.get(shown), 200).body.data.attributes,
    })
    const secret = (path: string): Subject => ({
      put: (fields) => app.root.post(path, fields),
      get: async () => mustBe(await app.root.get(path), 200).body.data,
    })

    test('of an organization', async () => {
      await expectNoneLost(document('organizations', '/api/v2/organizations/acme'), (round) => [
        { email: `ann${round}@acme.example` },
        { 'session-timeout': 1_000 + round },
        { 'allow-force-delete-workspaces': round % 2 === 0 },
      ])
    })

    test('of a project, while its tag bindings change', async () => {
      const made = await ann.post('/api/v2/organizations/acme/projects', doc('projects', { name: 'crowded' }))
      const path = `/api/v2/projects/${mustBe(made, 201).body.data.id}`
      const subject = document('projects', path)
      const bind = (value: string) =>
        ann.patch(`${path}/tag-bindings`, { data: [{ type: 'tag-bindings', attributes: { key: 'k', value } }] })
      const put = async (fields: Fields) => {
        const [changed, bound] = await Promise.all([subject.put(fields), bind(String(fields.description ?? ''))])
        mustBe(bound, 200)
        return changed
      }
      await expectNoneLost({ ...subject, put }, (round) => [
        { description: `round-${round}` },
        { 'auto-destroy-activity-duration': `${round}d` },
        { name: `crowded ${round}` },
      ])
    })

    test('of a team', async () => {
      const { id } = await team(acme, 'crowded')
      await expectNoneLost(document('teams', `/api/v2/teams/${id}`), (round) => [
        { visibility: round % 2 === 0 ? 'secret' : 'organization' },
        { name: `crowded-${round}` },
        { 'allow-member-token-management': round % 2 === 0 },
      ])
    })

    test('of a user', async () => {
      await expectNoneLost(document('users', '/api/v2/account/update', '/api/v2/account/details'), (round) => [
        { email: `ann${round}@acme.example` },
        { username: `ann-${round}` },
      ])
    })

    test('of a token role', async () => {
      const path = '/v1/auth/token/roles/crowded'
      await app.root.post(path, {})
      await expectNoneLost(secret(path), (round) => [
        { path_suffix: `suffix-${round}` },
        { token_period: 60 + round },
        { allowed_policies: [`policy-${round}`] },
      ])
    })
  })
})
