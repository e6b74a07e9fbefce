import { readFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import type { Answer } from './client.ts'
import { type TestApp, testApp } from './test-app.ts'

/** A line of an audit log. */
export type Line = {
  type: string
  error?: string
  auth?: Record<string, unknown>
  request: Record<string, unknown> & { path: string; data?: Record<string, unknown> }
  response?: Record<string, unknown> & { data?: Record<string, unknown> }
}

/** All lines of a log. */
export async function linesOf(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The records of one path, without those of the device itself. */
export const recordsOf = async (file: string, path: string): Promise<Line[]> =>
  (await linesOf(file)).filter(({ request }) => request.path === path)

/** Asks for a device. */
export const enable = (app: TestApp, name: string, options: Record<string, string>, type = 'file'): Promise<Answer> =>
  app.root.put(`/v1/sys/audit/${name}`, { type, description: 'test', options })

/** A server for one test. */
export async function freshApp(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const app = await testApp(options)
  onTestFinished(() => app.close())
  return app
}
