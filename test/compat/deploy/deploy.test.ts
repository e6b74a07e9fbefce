import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../../../scripts/setup/root.mjs'
import { loadConfig } from '../../../server/config/index.ts'
import { ownFolder } from '../../support/folders.ts'
import { buildGo, lacksGoPackage } from '../../support/programs/go-programs.ts'
import { isInstalled } from '../../support/programs/programs.ts'

const own = join(import.meta.dirname, 'own')
const deploy = join(ROOT, 'deploy')
const run = promisify(execFile)

/** What a command says, and how it ends. */
const resultOf = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  run(program, args, { env, maxBuffer: 1 << 24 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
const fine = { code: 0, stdout: '', stderr: '' }

const settingsOf = (text: string, environment: Readonly<Record<string, string>> = {}) => {
  const file = join(ownFolder(), 'holdfast.yaml')
  writeFileSync(file, text)
  return loadConfig({ mode: 'server', args: ['--config', file], environment })
}

const [helm = ''] = [process.env.HOLDFAST_COMPAT_HELM ?? 'helm', join(homedir(), 'go', 'bin', 'helm')].filter((each) =>
  isInstalled(each, 'version'),
)

/** The chart with these values, in lines of `a.b=c`. */
const render = (...values: readonly string[]) =>
  resultOf(helm, [
    'template',
    'holdfast',
    join(deploy, 'chart'),
    '--kube-version=1.33.0',
    ...values.flatMap((value) => ['--set', value]),
  ])

/** Values for which other objects and other parts of them are rendered. */
const variants: readonly (readonly string[])[] = [
  [],
  ['replicas=1', 'disruptionBudget.enabled=false', 'tls.certManager.enabled=true', 'tls.certManager.issuerRef.name=a'],
  ['seal.secretName=', 'seal.command=cat /run/key', 'service.type=LoadBalancer', 'service.annotations.a=b'],
  ['networkPolicy.enabled=true', 'networkPolicy.from[0].podSelector.matchLabels.a=b', 'podAnnotations.a=b'],
  ['env[0].name=A', 'env[0].value=b', 'nodeSelector.a=b', 'tolerations[0].key=a', 'image.pullSecrets[0].name=a'],
]

describe.skipIf(helm === '')(`the chart ${helm === '' ? '(needs helm)' : ''}`, () => {
  test('lint finds nothing', async () => {
    const { code, stdout } = await resultOf(helm, ['lint', '--strict', join(deploy, 'chart')])
    expect(stdout).not.toMatch(/\[(WARNING|ERROR)\]/)
    expect(code).toBe(0)
  })

  test.each([
    ['a misspelt value', 'replicaz=3', /replicaz/],
    ['too many nodes', 'replicas=12', /replicas/],
    ['an address without TLS', 'baseUrl=http://a.example', /baseUrl/],
    ['no key at all', 'seal.secretName=', /seal/],
    ['a kind of service that there is not', 'service.type=External', /type/],
    ['several nodes without a database', 'database.secretName=', /secretName/],
  ])('%s is refused', async (_name, value, words) => {
    const { code, stderr } = await render(value)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(words)
  })

  test('the configuration of the nodes is one that the server takes', async () => {
    const { stdout } = await render()
    const objects = parseAllDocuments(stdout).map((document) => document.toJS())
    const { data } = objects.find((each) => each?.kind === 'ConfigMap')
    expect(settingsOf(data['holdfast.yaml'], { HOLDFAST_STORAGE: 'postgres://db/holdfast' })).toMatchObject({
      ok: true,
    })
  })
})

test.skipIf(!isInstalled('systemd-analyze'))(
  'the unit has no unknown words and is closed (needs systemd)',
  async () => {
    const text = readFileSync(join(deploy, 'systemd', 'holdfast.service'), 'utf8')
    const unit = join(ownFolder(), 'holdfast.service')
    const verify = async (content: string) => {
      // There is no Holdfast here.
      writeFileSync(unit, content.replace('/opt/holdfast/bin/holdfast', '/bin/true'))
      return await resultOf('systemd-analyze', ['verify', '--man=no', unit])
    }
    expect((await verify(text.replace('ProtectClock', 'ProtectClok'))).stderr).toContain("Unknown key 'ProtectClok'")
    expect(await verify(text)).toEqual(fine)
    const open = ['security', '--offline=true', '--no-pager', '--threshold=20', unit]
    expect((await resultOf('systemd-analyze', open)).code).toBe(0)
  },
)

test.skipIf(!isInstalled('systemd-tmpfiles') || process.getuid?.() !== 0)(
  'its user and its folders are made in another root (needs systemd, and root)',
  async () => {
    const root = ownFolder()
    mkdirSync(join(root, 'etc'))
    const files = (name: string) => join(deploy, 'systemd', name)
    expect(await resultOf('systemd-sysusers', [`--root=${root}`, files('sysusers.conf')])).toMatchObject({ code: 0 })
    const made = await resultOf('systemd-tmpfiles', [`--root=${root}`, '--create', files('tmpfiles.conf')])
    expect(made).toEqual(fine)
    const { stdout } = await run('stat', [
      '--format=%A',
      ...['etc', 'var/lib'].map((each) => join(root, each, 'holdfast')),
    ])
    expect(stdout).toBe('drwxr-x---\ndrwx------\n')
  },
)

test('the configuration beside the unit, and the variables of the compose file, are such that the server takes', () => {
  const text = readFileSync(join(deploy, 'systemd', 'holdfast.yaml'), 'utf8')
  expect(settingsOf(text)).toMatchObject({ ok: true })
  expect(settingsOf(text.replaceAll(/^# (?=storage|seal| )/gm, ''))).toMatchObject({ ok: true })
  const { services } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true })
  const environment = Object.fromEntries(
    Object.entries<string>(services.node1.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{DATABASE_PASSWORD[^}]*\}/, 'word').replace(/\$\{\w+:-([^}]*)\}/, '$1'),
    ]),
  )
  expect(settingsOf('', environment)).toMatchObject({ ok: true, ignored: [] })
})

const lacks = lacksGoPackage(own, './...')

describe.skipIf(lacks)(`files for containers ${lacks ? `(needs ${lacks})` : ''}`, () => {
  let program = ''
  beforeAll(async () => {
    program = await buildGo(own, 'build', '.')
    return () => rmSync(dirname(program), { recursive: true })
  }, 600_000)
  const check = (kind: string, file: string, env?: NodeJS.ProcessEnv) => resultOf(program, [kind, file], env)
  const changed = (name: string, from: string, to: string): string => {
    const text = readFileSync(join(deploy, name), 'utf8')
    expect(text).toContain(from)
    const file = join(ownFolder(), name)
    writeFileSync(file, text.replace(from, to))
    return file
  }

  test.skipIf(helm === '').each(variants.map((values) => [values.join(' ') || 'defaults', values] as const))(
    'rendered objects have the fields of their types, strictly: %s (needs helm)',
    async (_name, values) => {
      const { code, stdout, stderr } = await render(...values)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const file = join(ownFolder(), 'objects.yaml')
      writeFileSync(file, stdout)
      expect(await check('objects', file)).toEqual(fine)
      writeFileSync(file, stdout.replace('serviceName:', 'servicename:'))
      expect((await check('objects', file)).stdout).toContain('unknown field "spec.servicename"')
    },
  )

  test('the compose file is loaded as the compose command does', async () => {
    const env = { ...process.env, DATABASE_PASSWORD: 'word' }
    expect(await check('compose', join(deploy, 'compose.yaml'), env)).toEqual(fine)
    expect((await check('compose', changed('compose.yaml', 'read_only:', 'readonly:'), env)).stdout).toContain(
      'readonly',
    )
    const { DATABASE_PASSWORD: _none, ...without } = env
    expect((await check('compose', join(deploy, 'compose.yaml'), without)).stdout).toContain('set it to a password')
  })

  test('the Dockerfile gives no warning', async () => {
    expect(await check('dockerfile', join(deploy, 'Dockerfile'))).toEqual(fine)
    expect((await check('dockerfile', changed('Dockerfile', 'AS unpacked', 'as unpacked'))).stdout).toContain(
      'FromAsCasing',
    )
    expect((await check('dockerfile', changed('Dockerfile', '--interval', '--intervall'))).stdout).toContain(
      'intervall',
    )
  })
})

test.skipIf(!isInstalled('hadolint'))('hadolint finds nothing in the Dockerfile (needs hadolint)', async () => {
  expect(await resultOf('hadolint', [join(deploy, 'Dockerfile')])).toEqual(fine)
})
