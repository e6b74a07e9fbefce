import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { certApp, ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import {
  type Minted,
  mintCa,
  mintCrl,
  mintIntermediate,
  mintLeaf,
  purpose,
} from '../../../../../../test/support/certificates.ts'
import { testClock } from '../../../../../../test/support/clock.ts'
import { listenOnLoopback } from '../../../../../../test/support/fakes/loopback.ts'
import {
  type OcspResponder,
  type Reply,
  startOcspResponder,
} from '../../../../../../test/support/fakes/ocsp-responder.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

const lines = recordingLog()
const app = sharedCertApp({ log: lines.log })
const responders: OcspResponder[] = []
let count = 0

afterEach(async () => {
  await Promise.all(responders.splice(0).map((each) => each.close()))
})

async function responder(
  reply?: Reply | ((request: { method: string }) => Reply),
  issuer = app.ca,
): Promise<OcspResponder> {
  const started = await startOcspResponder(issuer, reply)
  responders.push(started)
  return started
}

/** A port nobody listens on. */
const dead = 'http://127.0.0.1:9'

type Terms = Record<string, unknown>

/** Logs a fresh certificate in by a role of its own, so that no cached answer is met. */
async function status(servers: readonly string[], terms: Terms = {}): Promise<number> {
  const name = `role-${++count}`
  await app.role(name, {
    certificate: app.ca.pem,
    ocsp_enabled: true,
    ocsp_max_retries: 0,
    ocsp_servers_override: servers,
    ...terms,
  })
  return (await app.login(app.leaf({ commonName: name }), { name })).status
}

const open = { ocsp_fail_open: true }
const all = { ocsp_query_all_servers: true }
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)

describe('one responder', () => {
  test.each([
    ['good', { status: 'good' }, 200, 200],
    ['revoked', { status: 'revoked' }, 400, 400],
    ['unknown', { status: 'unknown' }, 400, 200],
    ['a 404', { http: 404 }, 400, 200],
    ['a 503', { http: 503 }, 400, 200],
    ['a page', { http: 200, body: '<html>' }, 400, 200],
    ['tryLater', { responseStatus: 3 }, 400, 200],
    ['another serial number', { serial: 99n }, 400, 400],
    ['a damaged signature', { isDamaged: true }, 400, 400],
    ['an answer of the past', { thisUpdate: minutesAgo(120), nextUpdate: minutesAgo(60) }, 400, 400],
    ['an answer of the future', { thisUpdate: minutesAgo(-60) }, 400, 400],
    ['an answer that ends before it begins', { thisUpdate: minutesAgo(1), nextUpdate: minutesAgo(5) }, 400, 400],
    ['no end', { nextUpdate: null }, 200, 200],
    ['a CertID with SHA-256', { certIdHash: 'sha256' }, 200, 200],
    ['more than one answer', { otherSerials: [1n, 2n] }, 200, 200],
  ] as const)('ocsp: answer %s, with failures closed and open', async (_what, reply, closed, opened) => {
    const { url } = await responder(reply as Reply)
    expect([await status([url]), await status([url], open)]).toEqual([closed, opened])
  })

  test('ocsp: a server of the role that is named without a scheme is asked over http', async () => {
    const { url } = await responder({ status: 'good' })
    expect([await status([new URL(url).host]), await status([new URL(dead).host])]).toEqual([200, 400])
  })

  test('ocsp: if nobody listens, the login gets 400 with failures closed and 200 with failures open', async () => {
    expect([await status([dead]), await status([dead], open)]).toEqual([400, 200])
  })

  test('ocsp: if no server is named, the login gets 400 with failures closed and 200 with failures open', async () => {
    expect([await status([]), await status([], open)]).toEqual([400, 200])
  })

  test('ocsp: the log names the serial number of the certificate, not that of its issuer', async () => {
    const name = `role-${++count}`
    await app.role(name, { certificate: app.ca.pem, ocsp_enabled: true, ocsp_servers_override: [dead], ...open })
    const leaf = app.leaf({ commonName: name, serial: 123_456_789_012_345n })
    expect((await app.login(leaf, { name })).status).toBe(200)
    expect(lines.text()).toContain('certificate with serial number 123456789012345 could not be fetched')
    expect(lines.text()).not.toContain(`serial number ${app.ca.serial}`)
  })

  test('ocsp: with failures open a pinned certificate of unknown issuer logs in, and the log says so', async () => {
    const pinned = app.leaf({ commonName: 'pinned-open', serial: 987_654_321n })
    await app.role('pinned-open', { certificate: pinned.pem, ocsp_enabled: true, ocsp_fail_open: true })
    expect((await app.login(pinned, { name: 'pinned-open' })).status).toBe(200)
    expect(lines.text()).toMatch(/serial number 987654321 could not be fetched: .*login goes on without an OCSP status/)
  })

  test('ocsp: an answer signed by another CA gets 400 with failures closed and open', async () => {
    const { url } = await responder({ signer: mintCa() })
    expect([await status([url]), await status([url], open)]).toEqual([400, 400])
  })

  test('ocsp: an answer older than ocsp_this_update_max_age gets 400', async () => {
    const { url } = await responder({ thisUpdate: minutesAgo(2) })
    expect([
      await status([url], { ocsp_this_update_max_age: 60 }),
      await status([url], { ocsp_this_update_max_age: '5m' }),
    ]).toEqual([400, 200])
  })

  test('ocsp: GET is tried first, then POST if GET gave no clear answer', async () => {
    const postOnly = await responder(({ method }) => (method === 'GET' ? { http: 405 } : { status: 'good' }))
    const unsure = await responder(({ method }) => ({ status: method === 'GET' ? 'unknown' : 'good' }))
    expect([await status([postOnly.url]), await status([unsure.url])]).toEqual([200, 200])
    expect(postOnly.requests.map((each) => each.method)).toEqual(['GET', 'POST'])
    expect(postOnly.requests[1]).toMatchObject({
      contentType: 'application/ocsp-request',
      accept: 'application/ocsp-response',
    })
  })

  test('ocsp: a failing server is retried ocsp_max_retries times per method', async () => {
    let calls = 0
    const { url } = await responder(() => (++calls <= 2 ? { http: 503 } : { status: 'good' }))
    expect(await status([url], { ocsp_max_retries: 2 })).toBe(200)
    expect(calls).toBe(3)
    const dead = await responder({ http: 503 })
    expect(await status([dead.url], { ocsp_max_retries: 1 })).toBe(400)
    expect(dead.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'POST'])
  })

  test('ocsp: a short Retry-After is waited for; one too long for the login ends the retries', async () => {
    const seen: number[] = []
    const soon = await responder(() => {
      seen.push(performance.now())
      return seen.length === 1 ? { http: 429, headers: { 'Retry-After': '1' } } : { status: 'good' }
    })
    expect(await status([soon.url], { ocsp_max_retries: 1 })).toBe(200)
    expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBeGreaterThan(900)
    const late = await responder({ http: 503, headers: { 'Retry-After': '3600' } })
    expect(await status([late.url], { ocsp_max_retries: 3 })).toBe(400)
    expect(late.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test('ocsp: the URL in the certificate is used if the role names no server', async () => {
    const { url, requests } = await responder()
    const leaf = mintLeaf(app.ca, { commonName: 'aia', ocspUrls: [url] })
    await app.role('aia', { certificate: app.ca.pem, ocsp_enabled: true, ocsp_max_retries: 0 })
    expect((await app.login(leaf, { name: 'aia' })).status).toBe(200)
    expect(requests).toHaveLength(1)
  })

  test.each([
    { asked: 'in turn', terms: {}, failingClosed: 200, failingOpen: 200 },
    { asked: 'of which all must agree', terms: all, failingClosed: 400, failingOpen: 200 },
  ])(
    'ocsp: of hundreds of servers in a certificate, $asked, only the first ten are asked',
    async ({ terms, failingClosed, failingOpen }) => {
      for (const [more, expected] of [
        [{}, failingClosed],
        [open, failingOpen],
      ] as const) {
        const last = await responder()
        const silent = await responder({ http: 404 })
        const ocspUrls = [...new Array<string>(9).fill(silent.url), ...new Array<string>(300).fill(last.url)]
        const name = `many-servers-${++count}`
        await app.role(name, { certificate: app.ca.pem, ocsp_enabled: true, ocsp_max_retries: 0, ...terms, ...more })
        expect((await app.login(mintLeaf(app.ca, { ocspUrls }), { name })).status).toBe(expected)
        // By GET and by POST, as long as nothing is settled.
        expect([silent.requests.length, last.requests.length]).toEqual([18, 1])
      }
    },
  )

  test('ocsp: where all servers must agree, a certificate naming more than ten gets 400', async () => {
    const { url } = await responder()
    await app.role('agreed', { certificate: app.ca.pem, ocsp_enabled: true, ocsp_max_retries: 0, ...all })
    const naming = (servers: number) => mintLeaf(app.ca, { ocspUrls: new Array<string>(servers).fill(url) })
    expect((await app.login(naming(10), { name: 'agreed' })).status).toBe(200)
    expect((await app.login(naming(11), { name: 'agreed' })).status).toBe(400)
  })

  test('ocsp: no responder is asked for a certificate that fails another constraint', async () => {
    const { url, requests } = await responder()
    expect(await status([url], { allowed_common_names: 'somebody-else' })).toBe(400)
    expect(requests).toHaveLength(0)
  })
})

describe('pinned certificates', () => {
  const login = async (name: string, leaf: Minted, pem: string, url: string): Promise<number> => {
    await app.role(name, { certificate: pem, ocsp_enabled: true, ocsp_servers_override: [url], ...open })
    return (await app.login(leaf, { name })).status
  }

  test('ocsp: the issuer of a pinned certificate is found at any position behind it', async () => {
    const issuer = mintIntermediate(app.ca, { commonName: 'Pins' })
    const twin = mintIntermediate(app.ca, { commonName: 'Pins' })
    const { url } = await responder({ status: 'good' }, issuer)
    const pinned = mintLeaf(issuer, { commonName: 'behind' })
    const pem = `${pinned.pem}${app.ca.pem}${twin.pem}${issuer.pem}`
    expect(await login('pinned-behind', pinned, pem, url)).toBe(200)
  })

  test('ocsp: a pinned certificate listed beside its CA is checked by OCSP with that CA as issuer', async () => {
    const { url, requests } = await responder({ status: 'revoked' })
    const pinned = app.leaf({ commonName: 'beside' })
    expect(await login('pinned-beside', pinned, app.ca.pem + pinned.pem, url)).toBe(400)
    expect(requests).not.toEqual([])
  })
})

describe('delegated responders', () => {
  const signing = { extendedKeyUsage: [purpose.ocspSigning] }

  test.each([
    ['with the purpose', signing, 200],
    ['without the purpose', { extendedKeyUsage: [purpose.clientAuth] }, 400],
    ['that has expired', { ...signing, notBefore: minutesAgo(200), notAfter: minutesAgo(100) }, 400],
  ])('ocsp: an answer signed by a delegate of the issuer %s', async (_what, options, expected) => {
    const delegate = mintLeaf(app.ca, { commonName: 'responder', ...options })
    const { url } = await responder({ signer: delegate, certificates: [delegate] })
    expect(await status([url], open)).toBe(expected)
  })

  test.each([
    ['with the purpose', signing, 200],
    ['without the purpose', { extendedKeyUsage: [purpose.clientAuth] }, 400],
  ])(
    'ocsp: an answer signed by a configured responder of another CA %s, given as PEM, and as base64 of PEM and of DER',
    async (_what, options, expected) => {
      const stranger = mintLeaf(mintCa(), { commonName: 'responder', ...options })
      const { url } = await responder({ signer: stranger })
      const [, der = ''] = /-----BEGIN CERTIFICATE-----(.*?)-----END/s.exec(stranger.pem) ?? []
      for (const form of [stranger.pem, Buffer.from(stranger.pem).toString('base64'), der.replaceAll(/\s/g, '')])
        expect(await status([url], { ocsp_ca_certificates: form })).toBe(expected)
    },
  )

  test('ocsp: a certificate in ocsp_ca_certificates is not trusted for logins', async () => {
    const other = mintCa()
    await app.role('anchor', {
      certificate: app.ca.pem,
      ocsp_enabled: true,
      ocsp_fail_open: true,
      ocsp_ca_certificates: other.pem,
    })
    expect((await app.login(mintLeaf(other, { commonName: 'x' }), { name: 'anchor' })).status).toBe(400)
  })
})

describe('several responders', () => {
  test.each([
    ['good first, revoked second, in turn', ['good', 'revoked'], {}, 200],
    ['revoked first', ['revoked', 'good'], {}, 400],
    ['good and revoked, all asked', ['good', 'revoked'], all, 400],
    ['good and unknown, all asked', ['good', 'unknown'], all, 400],
    ['good and unknown, all asked, open', ['good', 'unknown'], { ...all, ...open }, 200],
  ] as const)('ocsp: answers of two servers: %s', async (_what, states, terms, expected) => {
    const servers = await Promise.all(states.map((each) => responder({ status: each })))
    expect(
      await status(
        servers.map((each) => each.url),
        terms,
      ),
    ).toBe(expected)
  })

  test('ocsp: a dead server beside a good one gets 400 only with all servers asked and failures closed', async () => {
    const { url } = await responder()
    expect([await status([dead, url]), await status([dead, url], open)]).toEqual([200, 200])
    expect([await status([dead, url], all), await status([dead, url], { ...all, ...open })]).toEqual([400, 200])
  })

  test('ocsp: revoked beside a dead server gets 400 in every mode', async () => {
    const { url } = await responder({ status: 'revoked' })
    const servers = [dead, url]
    const answers = [
      await status(servers),
      await status(servers, open),
      await status(servers, all),
      await status(servers, { ...all, ...open }),
    ]
    expect(answers).toEqual([400, 400, 400, 400])
  })

  test('ocsp: a forged answer gets 400 even beside a good one, unless the good one settled it first', async () => {
    const forged = await responder({ signer: mintCa() })
    const good = await responder()
    expect(await status([forged.url, good.url], open)).toBe(400)
    expect(await status([good.url, forged.url], open)).toBe(200)
    expect(await status([good.url, forged.url], { ...all, ...open })).toBe(400)
  })
})

test('ocsp: without a role name, each role applies its own ocsp_fail_open', async () => {
  const own = await ownCertApp()
  await own.role('a-closed', {
    certificate: own.ca.pem,
    ocsp_enabled: true,
    ocsp_max_retries: 0,
    ocsp_servers_override: [dead],
  })
  expect((await own.login(own.leaf({ commonName: 'x' }))).status).toBe(400)
  await own.role('b-open', {
    certificate: own.ca.pem,
    ocsp_enabled: true,
    ocsp_max_retries: 0,
    ocsp_servers_override: [dead],
    ocsp_fail_open: true,
  })
  const answer = await own.login(own.leaf({ commonName: 'x' }))
  expect(answer.body.auth.metadata.cert_name).toBe('b-open')
})

test('metrics: answers of OCSP responders are counted and timed', async () => {
  const counted = async (answer: string): Promise<number> => {
    const text = await app.deps.metrics.render()
    return Number(new RegExp(`^holdfast_ocsp_answers_total\\{answer="${answer}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  }
  const before = [await counted('good'), await counted('unfetched')]
  await status([(await responder()).url])
  await status([dead])
  expect([await counted('good'), await counted('unfetched')]).toEqual(before.map((number) => number + 1))
  expect(await app.deps.metrics.render()).toMatch(/^holdfast_ocsp_seconds_count \d+/m)
})

test('ocsp: the log names a suspended responder without the credentials and the path of its URL', async () => {
  const { log, text } = recordingLog()
  let late = 0
  const clock = testClock(new Date().toISOString())
  const own = await certApp({ log, clock: { ...clock, monotonic: () => performance.now() + late } })
  const server = await startOcspResponder(own.ca, () => {
    late += 3_000
    return { http: 503 }
  })
  try {
    const url = `${server.url.replace('//', '//user:secret@')}/hidden`
    const terms = { ocsp_enabled: true, ocsp_max_retries: 0, ocsp_servers_override: [url], ...open }
    await own.role('resting', { certificate: own.ca.pem, ...terms })
    for (let login = 1; login <= 4; login++) expect((await own.login(own.leaf())).status).toBe(200)
    expect(text()).toContain(`${server.url} did not answer in time lately`)
    expect(text()).not.toMatch(/secret|hidden/)
  } finally {
    await server.close()
    await own.close()
  }
})

test.each([
  [
    'a list that revokes the certificate',
    (leaf: Minted) =>
      app.root.post('/v1/auth/cert/crls/meanwhile', { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem }),
  ],
  [
    'a constraint the certificate fails',
    () => app.root.post('/v1/auth/cert/certs/waiting', { allowed_common_names: 'nobody' }),
  ],
  ['the end of its role', () => app.root.delete('/v1/auth/cert/certs/waiting')],
] as const)(
  'ocsp: %s, written while a login waits for its responder, makes that login get 400',
  async (_what, change) => {
    const leaf = app.leaf({ commonName: 'waiting' })
    const statuses: number[] = []
    const server = await listenOnLoopback(async (_request, response) => {
      if (statuses.length === 0) statuses.push((await change(leaf)).status)
      response.writeHead(503).end()
    })
    const terms = {
      ocsp_enabled: true,
      ocsp_max_retries: 0,
      ocsp_servers_override: [`http://127.0.0.1:${server.port}`],
    }
    await app.role('waiting', { certificate: app.ca.pem, ...terms, ...open })
    const answer = await app.login(leaf, { name: 'waiting' })
    await server.close()
    await app.root.delete('/v1/auth/cert/crls/meanwhile')
    await app.root.delete('/v1/auth/cert/certs/waiting')
    expect([statuses, answer.status]).toEqual([[204], 400])
  },
)

describe('servers that must not be called', () => {
  const served = sharedCertApp({ settings: { mode: 'server' }, log: lines.log })
  const login = async (servers: readonly string[]) => {
    const name = `role-${++count}`
    const terms = { ocsp_enabled: true, ocsp_max_retries: 0, ...open, ocsp_servers_override: servers }
    const { body } = await served.role(name, { certificate: served.ca.pem, ...terms })
    const leaf = served.leaf({ commonName: name })
    return { warnings: body?.warnings ?? [], status: (await served.login(leaf, { name })).status }
  }
  const unreachable = 'http://responder.invalid'

  test.each([
    ['of this machine', [dead]],
    ['of this machine by name', ['http://localhost:9']],
    ['of this machine, without a scheme', ['127.0.0.1:9']],
    ['of a metadata service', ['http://169.254.169.254/']],
    ['beside one that cannot be reached', [unreachable, dead]],
  ])(
    'ocsp: an address %s refuses the login although failures are open, and the write warns',
    async (_what, servers) => {
      const { warnings, status } = await login(servers)
      expect(warnings).toEqual([expect.stringMatching(/'ocsp_servers_override'.*outbound\.allow can permit/)])
      expect(status).toBe(400)
      expect(lines.text()).toMatch(/which outbound\.allow can permit/)
    },
  )

  test('ocsp: a name that is not found counts as unreachable, and a redirect to a denied address does not', async () => {
    expect(await login([unreachable])).toEqual({ warnings: [], status: 200 })
    const { url } = await listenOnLoopback((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    }).then((server) => {
      onTestFinished(() => server.close())
      return { url: `http://127.0.0.1:${server.port}` }
    })
    expect(await status([url], open)).toBe(400)
  })
})
