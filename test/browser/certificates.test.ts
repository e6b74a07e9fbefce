import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readChain } from '../../server/product/secrets/auth/cert/explain/explain.ts'
import { recordLogin } from '../../server/product/secrets/auth/cert/record/login-record-actions.ts'
import { mintCa, mintCrl, mintIntermediate, mintLeaf } from '../support/certificates.ts'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'

const site = siteInChromium()
const at = '/app/server/certificates'
const script = '<script>alert(1)</script>'
const day = 86_400_000

// The clock of the server and that of the browser differ.
const notBefore = new Date('2024-01-01T00:00:00Z')
const root = mintCa({ commonName: 'Acme Root', notBefore })
const edge = mintIntermediate(root, { commonName: 'Acme Edge', pathLength: 0, notBefore })
const camera = mintLeaf(edge, { commonName: 'edge-cam-0412', notBefore })
const ending = mintCa({ commonName: 'Acme Old', notBefore, notAfter: new Date(Date.now() + 5.5 * day) })

/** Writes down that a certificate was refused, as a login does. */
async function refuse(chainPem: string): Promise<void> {
  const { deps } = site.app
  const mount = await deps.mounts.find('auth/cert/')
  const [leaf, ...intermediates] = readChain(chainPem)
  const key = { mountId: mount?.id ?? '', accepted: false, role: 'edge', digest: leaf.fingerprint, anchor: '' }
  const certificate = { leaf: leaf.der, intermediates: intermediates.map(({ der }) => der) }
  recordLogin(deps, {
    key: { ...key, reason: 'allowed_common_names' },
    leaf,
    request: { certificate, remoteAddress: '10.40.7.19' },
    text: 'The name does not match.',
  })
}

async function mounted(): Promise<void> {
  const { root: caller } = site.app
  if ((await caller.get('/v1/auth/cert/config')).status === 200) return
  await caller.post('/v1/sys/auth/cert', { type: 'cert' })
}

/** Opens a page, waits for what it shows, and looks for faults. */
async function open(page: Page, path: string, text: string): Promise<void> {
  await page.goto(`${site.app.url}${at}${path}`)
  await page.getByText(text).first().waitFor()
  expect(await accessFaults(page)).toEqual([])
}

test.runIf(chromiumPath)(
  'certificates: a role is written with the panel beside it, and a refusal is explained',
  async () => {
    await mounted()
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/roles`)
    await page.getByRole('heading', { name: 'No roles yet' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'New role' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('edge')
    await page.getByLabel('CA certificates, or one client certificate to pin').fill('no certificate')
    await page.getByRole('alert').getByText('could not be parsed').waitFor()
    await page.getByLabel('CA certificates, or one client certificate to pin').fill(root.pem + ending.pem)
    await page.getByText('Acme Old ends in 5 days.').waitFor()
    await page.getByText('CA, issued by itself').first().waitFor()
    await page.getByRole('combobox', { name: 'Common names' }).fill('edge-gw-*')
    await page.keyboard.press('Enter')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.waitForURL(`${site.app.url}${at}/roles/edge`)
    await page.getByRole('link', { name: 'Refused logins' }).waitFor()
    await refuse(camera.chainPem)
    await open(page, '/logins', 'edge-cam-0412')
    await page.getByRole('link', { name: 'Explain', exact: true }).last().click()
    await page.getByRole('heading', { name: 'Refused: the name on the certificate is not allowed' }).waitFor()
    await page.getByText('The chain is fine. Role edge needs one change.').waitFor()
    expect(await page.getByRole('list', { name: 'Chain', exact: true }).getByRole('listitem').count()).toBe(3)
    expect(await accessFaults(page)).toEqual([])
    expect(errors).toEqual([])
  },
  60_000,
)

test.runIf(chromiumPath)(
  'certificates: lists, trust, settings and a pasted chain, also on a phone',
  async () => {
    await mounted()
    await site.app.root.post('/v1/auth/cert/certs/web', { certificate: root.pem, allowed_common_names: 'web-*' })
    await site.app.root.post('/v1/auth/cert/crls/root', { crl: mintCrl(root, { thisUpdate: notBefore }).pem })
    const { page, errors } = await site.openPage({ viewport: { width: 390, height: 844 } })
    await site.signIn(page, site.app.rootToken, `${at}/crls`)
    await page.getByText('Fresh', { exact: true }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Add a list' }).click()
    await page.getByLabel('Name', { exact: true }).fill(script)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await open(page, '/trust', 'Acme Root')
    await open(page, '/settings', 'Roles kept in memory')
    await open(page, '/roles', 'web')
    await open(page, '/explain?paste=true', 'Certificate and intermediates')
    await page.getByLabel('Certificate and intermediates').fill(mintLeaf(root, { commonName: script, notBefore }).pem)
    await page.getByRole('button', { name: 'Explain certificate' }).click()
    await page.getByRole('heading', { name: /^Refused: the name/ }).waitFor()
    expect(await page.getByText(script).count()).toBeGreaterThan(0)
    expect(await accessFaults(page)).toEqual([])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(errors).toEqual([])
  },
  60_000,
)

test.runIf(chromiumPath)(
  'certificates: another mount is shown by the address, and a role can be deleted and brought back',
  async () => {
    await mounted()
    await site.app.root.post('/v1/sys/auth/edge', { type: 'cert' })
    await site.app.root.post('/v1/auth/edge/certs/sensors', { certificate: root.pem })
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/roles?mount=edge`)
    await page.getByRole('link', { name: 'sensors' }).click()
    await page.waitForURL(`${site.app.url}${at}/roles/sensors?mount=edge`)
    await page.getByText('What you pasted').waitFor()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('0 clients logged in by it').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete role' }).click()
    await page.getByRole('heading', { name: 'No roles yet' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'sensors' }).waitFor()
    expect(errors).toEqual([])
  },
  60_000,
)
