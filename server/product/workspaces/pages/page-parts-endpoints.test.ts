import { expect, test } from 'vitest'
import { cloudBlockFor } from './page-parts-endpoints.ts'

const hostIn = (origin: string, mode: 'dev' | 'server', httpsPort: number) => {
  const text = cloudBlockFor(origin, { mode, httpsPort }, 'acme', 'network').html
  return [/hostname +=(?: |&quot;)+([^&]+)/.exec(text)?.[1], text.includes('HTTPS address')]
}

test('cloud block: hostname is the HTTPS address; in dev mode also on a loopback page over plain HTTP', () => {
  expect(hostIn('https://holdfast.example.com', 'server', 8200)).toEqual(['holdfast.example.com', false])
  expect(hostIn('http://127.0.0.1:8201', 'dev', 8200)).toEqual(['localhost:8200', false])
  expect(hostIn('http://[::1]:8201', 'dev', 8200)).toEqual(['localhost:8200', false])
})

test('cloud block: asks for the HTTPS address where the server cannot know it', () => {
  expect(hostIn('http://127.0.0.1:8201', 'dev', 0)).toEqual(['127.0.0.1:8201', true])
  expect(hostIn('http://proxy.example.com', 'dev', 8200)).toEqual(['proxy.example.com', true])
  expect(hostIn('http://127.0.0.1:8201', 'server', 8200)).toEqual(['127.0.0.1:8201', true])
})
