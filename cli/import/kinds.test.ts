import { expect, test } from 'vitest'
import { doc, organization, type Person, person } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import { organizations, projects, requireAcceptedName, workspaces } from './kinds.ts'

const names = [
  '',
  ' ',
  '.',
  '..',
  'ab',
  'abc',
  'a.b',
  'a b c',
  ' abc',
  'abc ',
  'a/b',
  'a%2fb',
  'ünï',
  'a\nb',
  'abc\n',
  '../../admin',
  'x?y=1',
  'n#f',
  '-_-',
  'A'.repeat(40),
  'A'.repeat(41),
  'A'.repeat(64),
  'A'.repeat(65),
  'A'.repeat(260),
  'A'.repeat(261),
]

const kinds = { organization: organizations, project: projects, workspace: workspaces }

function isAccepted(kind: keyof typeof kinds, name: string): boolean {
  try {
    requireAcceptedName(kinds[kind], name)
    return true
  } catch {
    return false
  }
}

const made = async (owner: Person, path: string, type: string, name: string): Promise<boolean> =>
  (await owner.post(path, doc(type, { name, email: owner.email }))).status === 201

test('names: the import refuses what the server would refuse, and nothing else', async () => {
  const owner = await person(await ownApp(), 'owner')
  await organization(owner, 'home')
  for (const name of names) {
    const there = await made(owner, '/api/v2/organizations', 'organizations', name)
    expect([name, 'organization', isAccepted('organization', name)]).toEqual([name, 'organization', there])
    for (const kind of ['project', 'workspace'] as const) {
      const answer = await owner.post(`/api/v2/organizations/home/${kind}s`, doc(`${kind}s`, { name }))
      expect([name, kind, isAccepted(kind, name)]).toEqual([name, kind, answer.status === 201])
    }
  }
})
