import { expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { openEvents } from '../../../../../test/support/event-source.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { countStatements } from '../../../../../test/support/statements.ts'

eachEngine((engine) => {
  test('events: a change costs the database the same, however many streams are open', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    const org = await organization(ann, 'acme')
    const [watched, other] = [await workspaceIn(org), await workspaceIn(org)]
    const open = async (path: string) => {
      const source = await openEvents({ url: `${app.url}/api/v2/${path}/events`, token: ann.token })
      onTestFinished(() => source.close())
      expect(source.status).toBe(200)
      return source
    }
    const openMany = (number: number, path: string) => Promise.all(Array.from({ length: number }, () => open(path)))
    const ofOthers = await openMany(15, `workspaces/${other}`)
    const concerned = [...(await openMany(20, 'organizations/acme')), ...(await openMany(15, `workspaces/${watched}`))]
    const lock = async (id: string, action: string) =>
      mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/${action}`), 200)
    // With their first event, all have caught up.
    await lock(watched, 'lock')
    for (const source of concerned) expect((await source.next()).event).toBe('locked')
    // Looks for changes are not counted: how many there are depends on how long this takes.
    const { byText } = countStatements(app.deps.db)
    await lock(watched, 'unlock')
    for (const source of concerned) expect((await source.next()).event).toBe('unlocked')
    for (const source of ofOthers) expect(source.waiting()).toBe(0)
    expect([...byText.keys()].join()).toContain('change_log')
    const looks = /^select ("position"|count\(\*\)) /
    for (const [text, times] of byText) if (!looks.test(text)) expect(times, text).toBeLessThan(15)
  })
})
