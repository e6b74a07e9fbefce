import { expect, test } from 'vitest'
import { signatureOf } from './sigv4.ts'

const emptyBody = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const host = 'examplebucket.s3.amazonaws.com'
const time = '20130524T000000Z'
const s3 = { secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1', service: 's3', time }

/** Test vectors published with the specification of the signature, for S3 and in general. */
test('SigV4: the signature of a GET with a range matches the published one', () => {
  const headers = { host, range: 'bytes=0-9', 'x-amz-content-sha256': emptyBody, 'x-amz-date': time }
  const request = { method: 'GET', target: '/test.txt', headers, payloadHash: emptyBody }
  expect(signatureOf(request, { ...s3, signedHeaders: Object.keys(headers) })).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('SigV4: the signature of a PUT matches the published one', () => {
  const payloadHash = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
  const headers = {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': time,
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  }
  const request = { method: 'PUT', target: '/test%24file.text', headers, payloadHash }
  expect(signatureOf(request, { ...s3, signedHeaders: Object.keys(headers) })).toBe(
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})

test.each([
  ['a query without value', '/?lifecycle', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['a query', '/?max-keys=2&prefix=J', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('SigV4: the signature of %s matches the published one', (_name, target, expected) => {
  const headers = { host, 'x-amz-content-sha256': emptyBody, 'x-amz-date': time }
  const request = { method: 'GET', target, headers, payloadHash: emptyBody }
  expect(signatureOf(request, { ...s3, signedHeaders: Object.keys(headers) })).toBe(expected)
})

test('SigV4: the signature of the simplest request of the general suite matches the published one', () => {
  const scope = {
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
    time: '20150830T123600Z',
    signedHeaders: ['host', 'x-amz-date'],
  }
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' }
  expect(signatureOf({ method: 'GET', target: '/', headers, payloadHash: emptyBody }, scope)).toBe(
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  )
})
