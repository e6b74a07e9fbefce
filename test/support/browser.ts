import type { EngineKind } from '../../server/storage/dialect.ts'
import type { Answer, Client } from './client.ts'
import { doc, mustBe, type Person, person } from './platform.ts'
import { type TestApp, testApp } from './test-app.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** What keeps the cookie, sends forms and follows nothing. */
export type Browser = ReturnType<typeof browser>

/** A browser: keeps the cookie, sends forms, follows nothing. */
export const browser = (client: Client) => {
  let cookie = ''
  const keep = (answer: Answer): Answer => {
    const [set] = [answer.headers['set-cookie']].flat()
    if (set) cookie = set.split(';')[0] as string
    return answer
  }
  const headers = (extra: Record<string, string> = {}) => ({ ...(cookie ? { cookie } : {}), ...extra })
  return {
    get: async (path: string) => keep(await client.get(path, { headers: headers() })),
    submit: async (path: string, fields: Record<string, string>, extra: Record<string, string> = {}) =>
      keep(
        await client.post(path, undefined, {
          raw: new URLSearchParams(fields).toString(),
          headers: headers({ ...form, ...extra }),
        }),
      ),
    send: (verb: string, path: string, body?: unknown, extra?: Record<string, string>) =>
      client.send(verb, path, body, { headers: headers(extra) }),
    csrf: async () => (await client.get('/app/session', { headers: headers() })).body?.csrf_token as string,
    cookie: () => cookie,
  }
}

/** A server with one person, ann, who has the password `right password`. */
export async function appWithAnn(engine: EngineKind): Promise<{ app: TestApp; ann: Person }> {
  const app = await testApp({ engine })
  const ann = await person(app, 'ann')
  mustBe(await ann.patch('/api/v2/account/password', doc('users', { password: 'right password' })), 200)
  return { app, ann }
}

/** A browser in which somebody has signed in by token. */
export async function signedInBrowser(app: TestApp, { token }: Person): Promise<Browser> {
  const page = browser(app.anonymous)
  mustBe(await page.submit('/app/sign-in', { token }), 303)
  return page
}
