import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

type Document = { openapi: string; paths: Record<string, Record<string, { responses: object; summary: string }>> }

test('the document of /v1 is at sys/internal/specs/openapi, for everybody, and holds nothing else', async () => {
  const answer = await app.anonymous.get('/v1/sys/internal/specs/openapi')
  expect(answer.status).toBe(200)
  const { openapi, paths }: Document = answer.body
  expect(openapi).toMatch(/^3\.1/)
  const names = Object.keys(paths)
  expect(names.some((name) => name.includes('/sys/audit'))).toBe(true)
  expect(names.filter((name) => name.startsWith('/api/'))).toEqual([])
  expect((await app.anonymous.as('hfs.nobody').get('/v1/sys/internal/specs/openapi')).status).toBe(403)
})

test('every operation of the whole document has a summary and answers', async () => {
  const { body }: { body: Document } = await app.anonymous.get('/openapi.json')
  for (const [path, operations] of Object.entries(body.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      if (verb === 'parameters') continue
      expect(operation.summary, `${verb} ${path}`).toBeTruthy()
      expect(Object.keys(operation.responses).length, `${verb} ${path}`).toBeGreaterThan(0)
    }
  }
})

test.each([
  ['/api/v2/workspaces/{workspaceId}/events', 'text/event-stream'],
  ['/api/v2/organizations/{organization}/events', 'text/event-stream'],
  ['/v1/sys/storage/raft/snapshot', 'application/gzip'],
  ['/api/v2/workspaces/{workspaceId}', 'application/vnd.api+json'],
])('the document names the type of what %s answers', async (path, type) => {
  const { body } = await app.anonymous.get('/openapi.json')
  expect(Object.keys(body.paths[path].get.responses[200].content)).toEqual([type])
})

test('/docs: what stands in backticks is shown as code, and parameters of the address are told from fields', async () => {
  const { status, text } = await app.anonymous.get('/docs')
  expect(status).toBe(200)
  expect(text).toContain('Directory for <code>local</code>')
  expect(text).not.toContain('`')
  expect(text).toContain('<code>?page[size]</code>')
})
