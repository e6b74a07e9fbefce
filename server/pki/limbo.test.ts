import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { validateClientChain } from './index.ts'

type Case = {
  id: string
  level: 'required' | 'profile'
  expect: 'accept' | 'reject'
  note: string
  at: string
  maxDepth: number | null
  trusted: string[]
  intermediates: string[]
  leaf: string
  crls?: string[]
}

const file = join(import.meta.dirname, '../../test/data/x509/limbo-visible.json')
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }

const der = (text: string): Buffer => Buffer.from(text, 'base64')

const judge = (each: Case): Promise<{ ok: boolean; reason?: string }> =>
  validateClientChain({
    leafDer: der(each.leaf),
    intermediatesDer: each.intermediates.map(der),
    trustAnchorsDer: each.trusted.map(der),
    at: new Date(each.at),
    ...(each.crls && { crlsDer: each.crls.map(der) }),
    ...(each.maxDepth !== null && { maxIntermediates: each.maxDepth }),
  })

describe('public certificate path cases', () => {
  test('the file holds all 508 cases', () => {
    expect(cases).toHaveLength(508)
  })

  for (const each of cases.filter(({ level }) => level === 'required'))
    test(`${each.id}: ${each.expect}`, { timeout: 1000 }, async () => {
      const { ok, reason } = await judge(each)
      expect(ok ? 'accept' : 'reject', `${each.note}: ${reason}`).toBe(each.expect)
    })

  for (const each of cases.filter(({ level }) => level === 'profile'))
    test(`${each.id}: either verdict, in time`, { timeout: 1000 }, async () => {
      const { ok, reason } = await judge(each)
      expect(ok || (reason !== undefined && reason.length > 0 && reason.length < 1000)).toBe(true)
    })
})
