import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { expressionFault } from './hcl-expression.ts'
import { type JobVariable, jobEnvironment, quoted, variableFiles } from './variables.ts'

const variable = (key: string, value: string, more: Partial<JobVariable> = {}): JobVariable => ({
  key,
  value,
  category: 'terraform',
  origin: 'workspace',
  ...more,
})

describe('the files of variables', () => {
  it('are one for all texts, and one for each that holds HCL or is of the run', () => {
    expect(
      variableFiles([
        variable('a', 'one\n"two"'),
        variable('b', '[1, 2]', { hcl: true }),
        variable('c', '{\n  d = 1\n}', { origin: 'run' }),
        variable('e', 'x'),
        variable('ENV', 'x', { category: 'env' }),
      ]),
    ).toEqual([
      { name: '0000.tfvars', text: 'a = "one\\u000a\\"two\\""\ne = "x"\n' },
      { name: '0001.tfvars', text: 'b = [1, 2]\n' },
      { name: '0002.tfvars', text: 'c = {\n  d = 1\n}\n' },
    ])
  })

  it('hold the last one of a key', () => {
    const files = variableFiles([variable('a', '1', { hcl: true }), variable('a', 'x')])
    expect(files).toEqual([{ name: '0000.tfvars', text: 'a = "x"\n' }])
  })

  it.each([
    ['a line with another assignment', variable('n', '1\nadmin = true', { hcl: true })],
    ['a key with an assignment', variable('n = 1\nadmin', 'x')],
    ['a key that begins with a digit', variable('1n', 'x')],
  ])('are refused for %s, without the value', (_name, each) => {
    expect(variableFiles([each])).toEqual({ invalid: expect.stringContaining(each.key.slice(0, 1)) })
    expect(JSON.stringify(variableFiles([each]))).not.toContain('true')
  })
})

describe('one HCL expression', () => {
  it.each([
    'true',
    '  [1,\n 2] # a comment',
    '1 // with\n\n# lines that say nothing\n',
    '"a §{join(",", ["}"])} b"',
    '"$${ \\" %%{"',
    '<<EOT\nadmin = true\nEOT',
    '{\n  a = <<-EOT\n    §{upper("x")}\n    EOT\n}',
    '/* a\ncomment */ 3',
    'Hello, World!',
    '<<A\n§{ [\nA\n] }\nA',
  ])('is %j', (text) => {
    expect(expressionFault(text.replaceAll('§', '$'))).toBeUndefined()
  })

  it.each([
    ['1\nadmin = true', 'goes on'],
    ['\nadmin = true', 'empty line'],
    ['', 'empty'],
    ['# nothing', 'empty'],
    ['[1\nadmin = [2]', "'[' is not closed"],
    ['1)', 'closes nothing'],
    ['[1}', 'closes nothing'],
    ['"a\nadmin = "b"', 'end of a line'],
    ['"a\\\nadmin = "b"', 'end of a line'],
    ['"${"', 'no end'],
    ['<<A\nx', 'no end'],
    ['/* x', 'no end'],
    ['<<A\nA\nadmin = true', 'goes on'],
    ['a\0b', 'NUL'],
    ['"${'.repeat(60), 'nested'],
  ])('is not %j', (text, why) => {
    expect(expressionFault(text)).toContain(why)
  })
})

describe('the environment of a job', () => {
  it.each([
    ['PATH', '/evil'],
    ['PATH', '/evil:/usr/bin:/evil'],
    ['LD_PRELOAD', '/evil.so'],
    ['TF_DATA_DIR', '/x'],
    ['HOLDFAST_X', '1'],
    ['TFC_RUN_ID', '1'],
    ['TF_REATTACH_PROVIDERS', '{}'],
    ['a-b', '1'],
    ['1A', '1'],
    ['A\nB', '1'],
    ['TF_CLI_ARGS_plan', '-out=/tmp/x'],
    ['TF_CLI_ARGS', '-lock=false -state x'],
    ['TF_CLI_ARGS_plan', '"-var-file=/etc/passwd"'],
    ['TF_CLI_ARGS_plan', '-var-file=../../x'],
    ['TF_CLI_ARGS_plan', '-var-file /etc/passwd'],
  ])('leaves %s=%s out, and says so without the value', (key, value) => {
    const result = jobEnvironment([variable(key, value, { category: 'env' })], '/usr/bin', '/work')
    expect(result).toEqual({ values: new Map(), left: [expect.stringContaining('is left out')] })
  })

  it.each([
    ['PATH', '/opt/bin:/usr/bin'],
    ['AWS_REGION', 'eu\nwest'],
    ['TF_CLI_ARGS_plan', '-parallelism=3 -var-file=/work/a.tfvars -var-file=b.tfvars'],
    ['TF_LOG', 'debug'],
    ['TF_VAR_x', '1'],
  ])('takes %s=%s', (key, value) => {
    const result = jobEnvironment(
      [variable(key, 'first', { category: 'env' }), variable(key, value, { category: 'env' })],
      '/usr/bin',
      '/work',
    )
    expect('values' in result && result.values.get(key)).toBe(value)
  })

  it('is refused for a NUL', () => {
    const nul = variable('A', 'x\0y', { category: 'env' })
    expect(jobEnvironment([nul], '/usr/bin', '/work')).toEqual({ invalid: expect.stringContaining("'A' has a NUL") })
  })
})

for (const tool of ['tofu', 'terraform']) {
  const isHere = spawnSync(tool, ['version']).status === 0
  describe.skipIf(!isHere)(`what ${tool} reads`, () => {
    /** Evaluates `vars` of files, all at once. */
    const read = (files: Record<string, string>): Record<string, unknown> => {
      const folder = ownFolder()
      const names = [...Object.keys(files), 'admin']
      writeFileSync(join(folder, 'rc'), 'disable_checkpoint = true\n')
      writeFileSync(
        join(folder, 'main.tf'),
        names
          .map((name) => `variable "${name}" {\n  default = null\n}\noutput "${name}" {\n  value = var.${name}\n}\n`)
          .join(''),
      )
      const args = Object.entries(files).map(([name, text]) => {
        writeFileSync(join(folder, `${name}.tfvars`), text)
        return `-var-file=${name}.tfvars`
      })
      const env = { PATH: process.env.PATH, TF_CLI_CONFIG_FILE: join(folder, 'rc') }
      mkdirSync(join(folder, 'out'))
      execFileSync(tool, ['plan', '-input=false', '-out=out/plan', ...args], { cwd: folder, env, stdio: 'pipe' })
      const plan: { planned_values: { outputs?: Record<string, { value?: unknown }> } } = JSON.parse(
        execFileSync(tool, ['show', '-json', 'out/plan'], { cwd: folder, env }).toString(),
      )
      rmSync(folder, { recursive: true })
      return Object.fromEntries(
        Object.entries(plan.planned_values.outputs ?? {}).map(([name, { value }]) => [name, value]),
      )
    }

    it('in a quoted text is the text', () => {
      const unit = fc.constantFrom(
        '$',
        '%',
        '{',
        '}',
        '"',
        '\\',
        '\n',
        '\r',
        '\t',
        '\0',
        '~',
        'ü',
        '😀',
        'EOT',
        '<<',
        '\u007f',
        '\u2028',
      )
      const texts = fc.sample(fc.string({ unit, maxLength: 12 }), 60)
      const files = Object.fromEntries(texts.map((text, index) => [`v${index}`, `v${index} = ${quoted(text)}\n`]))
      expect(read(files)).toMatchObject(
        Object.fromEntries(texts.map((text, index) => [`v${index}`, text.normalize('NFC')])),
      )
    })

    it('in an expression that was let through is never another assignment', () => {
      const unit = fc.constantFrom(
        '1',
        '[',
        ']',
        '{',
        '}',
        '(',
        ')',
        '"',
        '${',
        '<<A',
        'A',
        '\n',
        '\nadmin = 1',
        '/*',
        '*/',
        '#',
        ',',
        'x = ',
      )
      const texts = fc
        .sample(fc.string({ unit, minLength: 2, maxLength: 10 }), 3_000)
        .filter((text) => text.includes('admin') && expressionFault(text) === undefined)
        .slice(0, 20)
      for (const text of texts) {
        try {
          expect(read({ v: `v = ${text}\n` }).admin ?? null).toBeNull()
        } catch (error) {
          // Most are no HCL at all, which the tool says.
          expect(String(error)).toContain('Command failed')
        }
      }
    })
  })
}
