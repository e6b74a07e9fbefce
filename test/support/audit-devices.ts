import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import type { Answer } from './client.ts'
import { ownFolder } from './folders.ts'
import type { TestApp } from './test-app.ts'

/** A line of an audit log. */
type Line = {
  type: string
  error?: string
  auth?: Record<string, unknown>
  request: Record<string, unknown> & { path: string; data?: Record<string, unknown> }
  response?: Record<string, unknown> & { data?: Record<string, unknown> }
}

/** A policy to write, so that there is something to record. */
export const samplePolicy = 'path "a" { capabilities = ["read"] }'

/** A folder for the logs of each test of a file; returns the path of a name in it, or of the folder without a name. */
export function logFolder(): (name?: string) => string {
  let folder = ''
  beforeEach(() => {
    folder = ownFolder()
  })
  return (name = '') => join(folder, name)
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

/** Enables a device. */
export const enableDevice = (
  app: TestApp,
  name: string,
  options: Record<string, string>,
  type = 'file',
): Promise<Answer> => app.root.put(`/v1/sys/audit/${name}`, { type, description: 'test', options })
