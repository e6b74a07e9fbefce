import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumPath } from '../../support/chromium.ts'
import { ownFolder } from '../../support/folders.ts'
import { eachTool, type Tool, type Workbench, workbench } from './workbench.ts'

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--ignore-certificate-errors']

/** Begins a login and returns where it sends the browser; only the test opens one. */
async function beginLogin(tool: Tool, bench: Workbench) {
  const home = ownFolder()
  await mkdir(join(home, '.terraform.d'))
  const env = { PATH: '/nowhere', HOME: home, SSL_CERT_FILE: bench.caFile, CHECKPOINT_DISABLE: '1' }
  const child = spawn(bench.program, ['login', bench.host], { cwd: home, env })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let out = ''
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += String(chunk)
        const [url] = /https:\/\/localhost:\d+\/oauth\/\S+/.exec(out) ?? []
        if (url) resolve(url)
      })
    }
    ended.then(() => reject(new Error(`${tool} ended: ${out}`)))
  })
  child.stdin.write('yes\n')
  const credentials = async () => {
    const file = join(home, '.terraform.d', 'credentials.tfrc.json')
    return JSON.parse(await readFile(file, 'utf8')).credentials[bench.host].token as string
  }
  return { url: await address, ended: ended.then(([code]) => ({ code: code as number, out })), credentials }
}

/** A page whose console errors about our own pages are collected. */
async function openPage(host = ''): Promise<{ page: Page; errors: string[] }> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args })
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.location().url.includes(host)) errors.push(message.text())
  })
  return { page, errors }
}

async function signIn(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url)
  await page.fill('input[name=token]', token)
  await page.click('text=Sign in with token')
}

eachTool((tool) => {
  test.runIf(chromiumPath)('login through the browser: after sign-in and consent the stored token works', async () => {
    const bench = await workbench(tool, 'sqlite')
    const login = await beginLogin(tool, bench)
    const { page, errors } = await openPage(bench.host)
    await signIn(page, login.url, bench.ann.token)
    expect(await page.innerText('body')).toContain('ann')
    await page.click('button[value=allow]')
    const { code, out } = await login.ended
    expect([code, code === 0 ? '' : out]).toEqual([0, ''])
    const details = await bench.ann.as(await login.credentials()).get('/api/v2/account/details')
    expect(details.body.data.attributes.username).toBe('ann')
    expect(errors).toEqual([])
  })

  test.runIf(chromiumPath)(
    'login denied in the browser: the redirect has error=access_denied, and no token is stored',
    async () => {
      const bench = await workbench(tool, 'sqlite')
      const login = await beginLogin(tool, bench)
      const { page } = await openPage()
      await signIn(page, login.url, bench.ann.token)
      // The command line treats a refusal as an error of the browser and keeps waiting; it has no token.
      const returned = page.waitForResponse((answer) => new URL(answer.url()).searchParams.has('error'))
      await page.click('button[value=deny]')
      expect(new URL((await returned).url()).searchParams.get('error')).toBe('access_denied')
      await expect(login.credentials()).rejects.toThrow('ENOENT')
    },
  )
})
