import { inWorkspace } from './lookup.ts'
import type { Noun, VerbFlag } from './noun.ts'
import { createVerb, deleteVerb, listVerb, organizationFlag, showVerb, updateVerb } from './resource-verbs.ts'

const workspaceFlag: VerbFlag = {
  term: '--workspace <workspace>',
  text: 'name or id of its workspace',
  names: 'workspace',
  required: true,
}
const flags = [workspaceFlag, organizationFlag]
const shown = ['id', 'key', 'value', 'category', 'hcl', 'sensitive', 'apply-only', 'description']

/** `holdfast variable`. */
export const variable: Noun = {
  name: 'variable',
  description: 'variables of a workspace',
  verbs: [
    listVerb({
      operation: 'vars.list',
      description: 'list the variables of a workspace',
      columns: ['key', 'id', 'category', 'sensitive', 'hcl', 'value', 'description'],
      flags,
      place: inWorkspace,
      hasPages: false,
      example: 'variable list --workspace app-prod',
    }),
    showVerb({
      kind: 'variable',
      description: 'show a variable; the value of a sensitive one is not shown',
      flags,
      columns: shown,
      example: 'variable show region --workspace app-prod --field value',
    }),
    createVerb({
      operation: 'vars.create',
      type: 'vars',
      called: 'key',
      defaults: { category: 'terraform' },
      description: 'create a variable; --value - reads a secret from standard input, --value @file a file',
      flags,
      place: inWorkspace,
      columns: shown,
      example: 'variable create zone --workspace app-prod --category env --value eu-central-1a',
    }),
    updateVerb({
      kind: 'variable',
      operation: 'vars.update',
      type: 'vars',
      description: 'change a variable',
      flags,
      columns: shown,
      example: 'variable update db_password --workspace app-prod --value -',
    }),
    deleteVerb({
      kind: 'variable',
      operation: 'vars.delete',
      description: 'delete a variable',
      flags,
      example: 'variable delete region --workspace app-prod --yes',
    }),
  ],
}
