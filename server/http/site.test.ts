import { expect, test } from 'vitest'
import { ownApp } from '../../test/support/shared.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('failures of the site: a browser gets an HTML page, other clients get JSON', async () => {
  const app = await ownApp()
  const shown = await app.anonymous.get('/no/<such>', { headers: browser })
  expect(shown.status).toBe(404)
  expect(shown.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-request-id': expect.any(String),
  })
  expect(shown.text).toContain('<h1>There is nothing here</h1>')
  expect(shown.text).toContain('<a href="/app">')
  expect(shown.text).toContain('<nav><a href="/app/workspaces">Workspaces</a>')
  const told = await app.anonymous.get('/no/such')
  expect(told).toMatchObject({ status: 404, body: { errors: ['There is nothing at this address.'] } })
})

test('sealed: the page says who can do something about it, and links only to what is shown meanwhile', async () => {
  const app = await ownApp()
  await app.root.post('/v1/sys/seal')
  const shown = await app.anonymous.get('/app/sign-in', { headers: browser })
  expect(shown.status).toBe(503)
  expect(shown.text).toContain('until an operator unseals it')
  expect(shown.text).not.toMatch(/<nav>|start page/)
  expect((await app.anonymous.get('/docs', { headers: browser })).status).toBe(200)
})

test('failures of the site: errors under /v1 and /api/v2 are JSON for browsers too', async () => {
  const app = await ownApp()
  for (const path of ['/v1/nothing', '/api/v2/nothing']) {
    const { headers } = await app.root.get(path, { headers: browser })
    expect(headers['content-type'], path).toContain('json')
  }
})
