import { afterAll, beforeAll } from 'vitest'
import type { EngineKind } from '../../server/storage/dialect.ts'
import type { Answer, Client } from './client.ts'
import { mustBe, type Person, person } from './platform.ts'
import { type TestApp, testApp } from './test-app.ts'

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

/** A minimal browser: keeps cookies, sends forms, follows no redirects. */
export type Browser = ReturnType<typeof browser>

/** A minimal browser: it keeps cookies, sends forms and follows no redirects. */
export const browser = (client: Client) => {
  const jar = new Map<string, string>()
  const keep = (answer: Answer): Answer => {
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', text = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (text === '') jar.delete(name)
      else jar.set(name, text)
    }
    return answer
  }
  const cookies = () => [...jar].map(([name, text]) => `${name}=${text}`).join('; ')
  const headers = (extra: Record<string, string> = {}) => ({ ...(jar.size > 0 ? { cookie: cookies() } : {}), ...extra })
  return {
    get: async (path: string) => keep(await client.get(path, { headers: headers() })),
    submit: async (path: string, fields: Record<string, string>, extra: Record<string, string> = {}) =>
      keep(
        await client.post(path, undefined, {
          raw: new URLSearchParams(fields).toString(),
          headers: headers({ ...formHeaders, ...extra }),
        }),
      ),
    send: (verb: string, path: string, body?: unknown, extra?: Record<string, string>) =>
      client.send(verb, path, body, { headers: headers(extra) }),
    csrf: async () => (await client.get('/app/session', { headers: headers() })).body?.csrf_token as string,
    cookie: cookies,
  }
}

/** What a page says once; undefined if nothing. */
export const noticeIn = (text: string): string | undefined => /<p class="notice [^>]*>([\s\S]*?)<\/p>/.exec(text)?.[1]

/** What tests of pages use: a server with one user, and browsers for it. */
type Site = {
  readonly app: TestApp
  readonly ann: Person
  /** A browser in which nobody has signed in. */
  newBrowser(): Browser
  /** A browser in which ann has signed in by token. */
  signedIn(): Promise<Browser>
}

/** A server for the tests around it, with one person, ann, who has the password `right password`. */
export function siteWithAnn(engine: EngineKind): Site {
  const made: { app?: TestApp; ann?: Person } = {}
  beforeAll(async () => {
    made.app = await testApp({ engine })
    made.ann = await person(made.app, 'ann', 'right password')
  })
  afterAll(() => made.app?.close())
  return {
    get app() {
      return made.app as TestApp
    },
    get ann() {
      return made.ann as Person
    },
    newBrowser() {
      return browser(this.app.anonymous)
    },
    async signedIn() {
      const page = this.newBrowser()
      mustBe(await page.submit('/app/sign-in', { token: this.ann.token }), 303)
      return page
    },
  }
}
