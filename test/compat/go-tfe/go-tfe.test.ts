import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../server/kernel/clock.ts'
import { testClock } from '../../support/clock.ts'
import { type Engine, eachEngine } from '../../support/databases.ts'
import { doc, mustBe, type Person, person } from '../../support/platform.ts'
import { buildGo, go, goOffline, lacksGoPackage } from '../../support/programs/go-programs.ts'
import { ownApp } from '../../support/shared.ts'
import type { TestApp } from '../../support/test-app.ts'

const own = join(import.meta.dirname, 'own')
const suite = join(import.meta.dirname, 'suite')
const [ownLacks, suiteLacks] = [own, suite].map((folder) => lacksGoPackage(folder, 'github.com/hashicorp/go-tfe'))

/** A server with a running clock, and the environment variables of the client. */
async function served(engine: Engine, edition: 'hosted' | 'self-hosted') {
  const clock = { ...testClock(), now: () => systemClock.now() }
  const app = await ownApp({ engine, clock, settings: { edition } })
  const ann = await person(app, 'ann')
  await administration(app, ann)
  const client = { TFE_ADDRESS: app.url, TFE_TOKEN: ann.token, TFE_ADMIN_PROVISION_LICENSES_TOKEN: app.rootToken }
  // Connections are not tested when they are created, so any token and repository will do.
  const repository = { OAUTH_CLIENT_GITHUB_TOKEN: 'any', GITHUB_POLICY_SET_IDENTIFIER: 'acme/network' }
  return { ...process.env, ...client, ...repository, ENABLE_BETA: '1', ENABLE_TFE: edition === 'hosted' ? '0' : '1' }
}

/** Some of the client's own tests need an administrator with a certain name, and organizations. */
async function administration(app: TestApp, ann: Person): Promise<void> {
  for (const { id } of [ann, await person(app, 'admin-security-maintenance')]) {
    mustBe(await app.root.post(`/api/v2/admin/users/${id}/actions/grant_admin`), 200)
  }
  const kept = { name: 'kept', email: 'kept@example.com' }
  mustBe(await app.root.post('/api/v2/organizations', doc('organizations', kept)), 201)
}

describe.skipIf(ownLacks)(`go-tfe ${ownLacks ? `(needs ${ownLacks})` : ''}`, () => {
  let journey: string
  beforeAll(async () => {
    journey = await buildGo(own, 'build', '.')
    return () => rm(join(journey, '..'), { recursive: true })
  })

  eachEngine((engine) => {
    test('organizations, workspaces, locks, tags, teams, tokens and states work through the client', async () => {
      const env = await served(engine, 'self-hosted')
      const { stdout } = await promisify(execFile)(journey, { env })
      expect(stdout.trim().split('\n').at(-1)).toBe('deletion')
    })
  })
})

/** The client's own tests that need no missing feature and do not rename the user that all of them share. */
const asked = [
  'TestAdmin(TerraformVersions|Users)_',
  'TestAgent(Pools|Tokens)',
  'TestOAuth(Clients(Create|Create_agentPool|CreateOptionsValid|List|Read)$|Tokens)',
  'TestOrganization(s|Memberships|Tags|Tokens)',
  'TestProjects',
  'TestSSHKeys',
  'TestStateVersion',
  'TestTeam(s|Access|Member|Project|Token)',
  'TestUser(sReadCurrent|Tokens)',
  'TestVariables',
  'TestWorkspace(s|Resources)',
]

/** Left out: runs, customer-held keys, variable sets and OAuth handshakes with providers. */
const leftOut = [
  'RunDependent',
  'HYOK',
  'TestVariablesListAll',
  // Releases that come with the server have no download address.
  'TestAdminTerraformVersions_List$/with_list_options',
  // The count of tests that modules may still run.
  'TestOrganizationsRead$/when_the_org_exists$/timestamps',
  // Sensitive outputs are shown one by one, never in lists.
  'TestStateVersionOutputs$/when_the_state_version_exists$',
  // The features of paid plans and of runs.
  'TestOrganizationsRead(Entitlements|RunTasksEntitlement|WithBusiness)$',
]

describe.skipIf(suiteLacks)(`go-tfe's own tests ${suiteLacks ? `(need ${suiteLacks})` : ''}`, () => {
  let tests: string
  let folder: string
  beforeAll(async () => {
    const listed = await promisify(execFile)(go, ['list', '-f', '{{.Dir}}', 'github.com/hashicorp/go-tfe'], {
      cwd: suite,
      env: goOffline,
    })
    folder = listed.stdout.trim()
    tests = await buildGo(suite, 'test', '-c', 'github.com/hashicorp/go-tfe')
    return () => rm(join(tests, '..'), { recursive: true })
  })

  eachEngine((engine) => {
    test.each(['self-hosted', 'hosted'] as const)('pass unmodified in the %s edition', async (edition) => {
      const env = await served(engine, edition)
      // Many at once, since they sleep most of the time.
      const args = [
        `-test.run=^(${asked.join('|')})`,
        `-test.skip=${leftOut.join('|')}`,
        '-test.parallel=16',
        '-test.v',
      ]
      const ended = await promisify(execFile)(tests, args, { cwd: folder, env, maxBuffer: 1e8 }).catch(
        (error: Error & { stdout: string }) => error,
      )
      const lines = ended.stdout.split('\n')
      expect(lines.filter((line) => /^\s*--- FAIL|^panic/.test(line))).toEqual([])
      expect(lines.filter((line) => /^--- PASS/.test(line)).length).toBeGreaterThan(80)
    })
  })
})
