import type { Noun } from './noun.ts'
import { createVerb, deleteVerb, listVerb, showVerb, updateVerb } from './resource-verbs.ts'

const shown = [
  'name',
  'external-id',
  'email',
  'default-execution-mode',
  'default-tool',
  'user-tokens-enabled',
  'created-at',
]

/** `holdfast organization`. */
export const organization: Noun = {
  name: 'organization',
  description: 'organizations that you belong to',
  verbs: [
    listVerb({
      operation: 'organizations.list',
      description: 'list the organizations that you see',
      columns: ['name', 'external-id', 'email', 'created-at'],
      filters: [{ term: '--search <text>', text: 'a part of the name', query: (given) => ({ 'q[name]': given }) }],
      example: 'organization list',
    }),
    showVerb({
      kind: 'organization',
      description: 'show an organization',
      columns: shown,
      example: 'organization show acme',
    }),
    createVerb({
      operation: 'organizations.create',
      type: 'organizations',
      called: 'name',
      description: 'create an organization; you become its first owner',
      columns: shown,
      example: 'organization create acme-test --email ops@example.com',
    }),
    updateVerb({
      kind: 'organization',
      operation: 'organizations.update',
      type: 'organizations',
      description: 'change settings of an organization',
      columns: shown,
      example: 'organization update acme --default-execution-mode local',
    }),
    deleteVerb({
      kind: 'organization',
      operation: 'organizations.delete',
      description: 'delete an organization',
      stakes: () => 'with everything in it: teams, projects, workspaces and states',
      example: 'organization delete acme-test --yes',
    }),
  ],
}
