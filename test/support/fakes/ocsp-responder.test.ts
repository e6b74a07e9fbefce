import { expect, test } from 'vitest'
import { instant } from '../../../server/kernel/clock.ts'
import { judgeOcspResponse, readCertificate, writeOcspRequest } from '../../../server/pki/index.ts'
import { mintCa, mintLeaf } from '../certificates.ts'
import { startOcspResponder } from './ocsp-responder.ts'

const ca = mintCa()
const leaf = mintLeaf(ca)
const [subject, issuer] = [readCertificate(leaf.der), readCertificate(ca.der)]
const request = writeOcspRequest(subject, issuer)
const judge = (body: ArrayBuffer): string =>
  judgeOcspResponse(Buffer.from(body), { leaf: subject, issuer, at: instant(Date.now()) }).result

test('responder: answers GET and POST, and remembers who asked', async () => {
  const responder = await startOcspResponder(ca, ({ method }) => ({ status: method === 'GET' ? 'good' : 'revoked' }))
  try {
    const path = encodeURIComponent(request.toString('base64'))
    const got = await fetch(`${responder.url}/ocsp/${path}`)
    const posted = await fetch(responder.url, { method: 'POST', body: request })
    expect([judge(await got.arrayBuffer()), judge(await posted.arrayBuffer())]).toEqual(['good', 'revoked'])
    expect(responder.requests.map(({ method, serial }) => [method, serial])).toEqual([
      ['GET', leaf.serial],
      ['POST', leaf.serial],
    ])
  } finally {
    await responder.close()
  }
})

test('responder: can answer 503, close the connection or send an error status', async () => {
  const responder = await startOcspResponder(ca, { http: 503, headers: { 'retry-after': '1' }, body: 'busy' })
  try {
    expect((await fetch(responder.url, { method: 'POST', body: request })).status).toBe(503)
    responder.answer('hang up')
    await expect(fetch(responder.url, { method: 'POST', body: request })).rejects.toThrow()
    responder.answer({ responseStatus: 3 })
    expect(judge(await (await fetch(responder.url, { method: 'POST', body: request })).arrayBuffer())).toBe('unusable')
  } finally {
    await responder.close()
  }
})
