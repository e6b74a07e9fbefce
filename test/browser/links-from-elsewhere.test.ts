import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { organization, person, workspaceIn } from '../support/platform.ts'

const site = siteInChromium()

/** The address of another site with this body; browsers take `localhost` and `127.0.0.1` for two sites. */
async function elsewhere(body: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

test.runIf(chromiumPath)('browser: a link on another site opens its page for somebody who is signed in', async () => {
  const ann = await person(site.app, 'ann')
  await workspaceIn(await organization(ann, 'acme'), { name: 'network' })
  const target = `${site.app.url}/app/acme/workspaces/network`
  const chat = await elsewhere(`<a href="${target}">look at this</a>`)
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/account')
  await page.goto(chat)
  await page.click('a')
  await page.waitForURL(target)
  expect(await page.innerText('h1')).toBe('network')
  await page.goBack()
  expect(page.url()).toBe(chat)
  // Only the other site itself was asked for anything elsewhere.
  expect(errors.filter((error) => error !== `request to ${chat}`)).toEqual([])
})

test.runIf(chromiumPath)('browser: a link on another site leads others through sign-in to its page', async () => {
  const ben = await person(site.app, 'ben')
  await workspaceIn(await organization(ben, 'bees'), { name: 'hive' })
  const target = `${site.app.url}/app/bees/workspaces/hive`
  const { page } = await site.openPage()
  await page.goto(await elsewhere(`<a href="${target}">look at this</a>`))
  await page.click('a')
  await page.fill('input[name=token]', ben.token)
  await page.click('text=Sign in with token')
  await page.waitForURL(target)
  expect(await page.innerText('h1')).toBe('hive')
})
