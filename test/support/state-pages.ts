import { type Browser, browser } from './browser.ts'
import type { Answer, Client } from './client.ts'
import type { Engine } from './databases.ts'
import { doc, join, mustBe, type Person, person, team, workspaceIn } from './platform.ts'
import { shared } from './shared.ts'
import { stateBench, stateDocument } from './states.ts'

/** A server with people who look at pages, and workspaces with states for them to see. */
export function statePages(engine: Engine) {
  const bench = shared(
    () => stateBench(engine, { settings: { renameRedirects: true } }),
    ({ app }) => app.close(),
  )
  const signedIn = async (who: Person): Promise<Browser> => {
    const page = browser(bench.app.anonymous)
    mustBe(await page.submit('/app/sign-in', { token: who.token }), 303)
    return page
  }
  /** Ann owns all; ben is in a team whose access the tests choose; nobody knows the stranger. */
  const at = shared(async () => {
    const [ben, stranger] = [await person(bench.app, 'ben'), await person(bench.app, 'stranger')]
    const helpers = await team(bench.org, 'helpers')
    await join(bench.org, ben, [helpers.id])
    return {
      helpersId: helpers.id,
      ann: await signedIn(bench.ann),
      ben: await signedIn(ben),
      stranger: await signedIn(stranger),
    }
  })

  let made = 0
  const newWorkspace = async () => {
    const name = `made-${++made}`
    return { name, id: await workspaceIn(bench.org, { name }), page: `/app/${bench.org.name}/workspaces/${name}` }
  }
  const allow = async (id: string, teamId: string, attributes: object) => {
    const linked = { workspace: { data: { type: 'workspaces', id } }, team: { data: { type: 'teams', id: teamId } } }
    mustBe(await bench.ann.post('/api/v2/team-workspaces', doc('team-workspaces', attributes, linked)), 201)
  }
  const lock = async (id: string, by: Client = bench.ann) =>
    mustBe(await by.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
  const unlock = async (id: string, by: Client = bench.ann) =>
    mustBe(await by.post(`/api/v2/workspaces/${id}/actions/unlock`, {}), 200)

  /** Sends a state under the lock and returns the id of its version. */
  const send = async (id: string, state: Buffer, serial: number, by: Client = bench.ann): Promise<string> => {
    const body = stateDocument(state, { serial, state: state.toString('base64') })
    return mustBe(await by.post(`/api/v2/workspaces/${id}/state-versions`, body), 201).body.data.id
  }
  const release = async (id: string, state: Buffer, serial = 1, by: Client = bench.ann): Promise<string> => {
    await lock(id, by)
    const version = await send(id, state, serial, by)
    await unlock(id, by)
    return version
  }
  return { bench, at, newWorkspace, allow, lock, unlock, send, release }
}

/** The content of a page, without what is around it. */
export const main = ({ text }: Answer): string => text.slice(text.indexOf('<main'))

/** A page that must be shown to this reader. */
export const shownTo = async (reader: Browser, path: string): Promise<string> =>
  mustBe(await reader.get(path), 200).text

/** The rows of the tables of a page, as plain text. */
export const rowsOf = (text: string): string[] =>
  [...text.matchAll(/<tr><th scope="row">([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    row
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
