import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { mintCa, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { type CommandLineBench, commandLineBench, commandLines } from './command-line-bench.ts'

/** A role whose tokens live this long, and what an agent needs to log in with it. */
async function setUpLogin({ app, directory, file, run }: CommandLineBench, ttl: string) {
  const clientCa = mintCa()
  await run('auth', 'enable', 'cert')
  await run('write', 'auth/cert/certs/web', `certificate=@${await file('ca.pem', clientCa.pem)}`, `token_ttl=${ttl}`)
  const present = async (commonName: string): Promise<void> => {
    const leaf = mintLeaf(clientCa, { commonName })
    await file('client.pem', leaf.chainPem)
    await file('client.key', leaf.keyPem)
  }
  const identity = `
    client_cert = "${join(directory, 'client.pem')}"
    client_key = "${join(directory, 'client.key')}"
    ca_cert = "${join(directory, 'server-ca.pem')}"`
  const settings = (sink: string) => `
    vault {
      address = "${app.httpsUrl}"
      ${identity}
    }
    auto_auth {
      method "cert" {
        config = {
          name = "web"
          reload = true
          ${identity}
        }
      }
      ${sink}
    }`
  return { present, settings }
}

/** Renders the name of the token that the agent has. */
const nameTemplate = '{{ with secret \\"auth/token/lookup-self\\" }}{{ .Data.display_name }}{{ end }}'

/** Runs until the test ends, or until the program itself does; then this resolves to its exit code. */
function start(program: string, { directory }: CommandLineBench, ...args: string[]): Promise<number | null> {
  const env = { PATH: process.env.PATH, HOME: directory }
  const child = spawn(program, args, { env, stdio: 'ignore' })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return ended
}

describe.each(commandLines)('%s', (_name, program) => {
  describe.skipIf(!isInstalled(program, 'version'))('unmodified', () => {
    eachEngine((engine) => {
      test.each(['agent', 'proxy'])(
        'its %s passes requests on, and logs in with a renewed certificate once its token is revoked',
        async (command) => {
          const bench = await commandLineBench(program, engine)
          const { directory, file, run } = bench
          const { present, settings } = await setUpLogin(bench, '4s')
          const sink = join(directory, 'sink')
          const address = `127.0.0.1:${await freePort()}`
          const proxying = `
            api_proxy { use_auto_auth_token = true }
            listener "tcp" {
              address = "${address}"
              tls_disable = true
            }`
          const text = settings(`sink "file" { config = { path = "${sink}" } }`) + proxying
          await present('web-1')
          void start(program, bench, command, `-config=${await file('settings.hcl', text)}`)
          const seenAs = async (commonName: string): Promise<string> => {
            const token = await readFile(sink, 'utf8')
            expect((await run('token', 'lookup', token)).data.meta.common_name).toBe(commonName)
            return token
          }
          const patience = { timeout: 20_000, interval: 200 }
          const token = await vi.waitFor(() => seenAs('web-1'), patience)
          const answer = await fetch(`http://${address}/v1/auth/token/lookup-self`)
          expect(await answer.json()).toMatchObject({ data: { display_name: 'cert-web' } })
          await present('web-2')
          await run('token', 'revoke', token)
          await vi.waitFor(() => seenAs('web-2'), patience)
          expect((await fetch(`http://${address}/v1/auth/token/lookup-self`)).status).toBe(200)
        },
      )

      test('its agent logs in with a certificate, writes its token sink and renders a template', async () => {
        const bench = await commandLineBench(program, engine)
        const { directory, file, textAs, run } = bench
        const { present, settings } = await setUpLogin(bench, '1h')
        await present('web-1')
        const [sink, rendered] = [join(directory, 'sink'), join(directory, 'rendered')]
        const rendering = `
          template {
            contents = "${nameTemplate}"
            destination = "${rendered}"
          }`
        const text = settings(`sink "file" { config = { path = "${sink}" } }`) + rendering
        await textAs('', 'agent', `-config=${await file('agent.hcl', text)}`, '-exit-after-auth')
        expect(await readFile(rendered, 'utf8')).toBe('cert-web')
        const token = await readFile(sink, 'utf8')
        expect((await run('token', 'lookup', token)).data.meta.common_name).toBe('web-1')
      })

      test('its agent opens a wrapped secret id, logs in with it, and renders secrets and their names', async () => {
        const bench = await commandLineBench(program, engine)
        const { app, directory, file, run, textAs } = bench
        const rules = 'path "app/*" { capabilities = ["read", "list"] }'
        await run('policy', 'write', 'reader', await file('reader.hcl', rules))
        await run('secrets', 'enable', '-path=app', 'kv-v2')
        for (const name of ['db', 'mail']) await run('kv', 'put', `app/team/${name}`, `password=of-${name}`)
        await run('auth', 'enable', 'approle')
        const role = 'auth/approle/role/web'
        await run('write', role, 'token_policies=reader', 'secret_id_num_uses=1')
        await file('role-id', (await run('read', `${role}/role-id`)).data.role_id)
        const handOver = async () =>
          await file('secret-id', (await run('write', '-f', '-wrap-ttl=1m', `${role}/secret-id`)).wrap_info.token)
        const template = `
          {{- range secrets \\"app/metadata/team\\" }}{{ with secret (printf \\"app/team/%s\\" .) }}
          {{- .Data.metadata.version }} {{ .Data.data.password }};{{ end }}{{ end }}`
        const rendered = join(directory, 'rendered')
        const settings = (wrapping: string) => `
          vault {
            address = "${app.httpsUrl}"
            ca_cert = "${join(directory, 'server-ca.pem')}"
          }
          auto_auth {
            method "approle" {
              config = {
                role_id_file_path = "${join(directory, 'role-id')}"
                secret_id_file_path = "${join(directory, 'secret-id')}"
                secret_id_response_wrapping_path = "${wrapping}"
              }
              exit_on_err = true
            }
          }
          template {
            contents = "${template.replaceAll(/\n */g, '')}"
            destination = "${rendered}"
          }`
        await handOver()
        const agent = async (wrapping: string) =>
          await textAs('', 'agent', `-config=${await file('agent.hcl', settings(wrapping))}`, '-exit-after-auth')
        await expect(agent('auth/approle/role/other/secret-id')).rejects.toMatchObject({
          stderr: expect.stringContaining('unable to validate wrapping token creation path'),
        })
        await handOver()
        await agent(`${role}/secret-id`)
        expect(await readFile(rendered, 'utf8')).toBe('1 of-db;1 of-mail;')
        expect(await run('list', `${role}/secret-id`)).toHaveLength(1)
      })

      test('its agent runs a program with values from a template, and ends with its exit code', async () => {
        const bench = await commandLineBench(program, engine)
        const { directory, file } = bench
        const { present, settings } = await setUpLogin(bench, '1h')
        await present('web-1')
        const written = join(directory, 'written')
        const running = `
          env_template "NAME" { contents = "${nameTemplate}" }
          exec { command = ["/bin/sh", "-c", "printf %s \\"$NAME\\" > ${written}; exit 7"] }`
        const config = await file('agent.hcl', settings('') + running)
        expect(await start(program, bench, 'agent', `-config=${config}`)).toBe(7)
        expect(await readFile(written, 'utf8')).toBe('cert-web')
      })
    })
  })
})
