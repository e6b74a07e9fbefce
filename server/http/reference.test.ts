import { expect, test } from 'vitest'
import { endpointsOf } from '../compose.ts'
import { features } from '../features/index.ts'
import { openApiDocument, openApiPath } from './openapi.ts'

const endpoints = endpointsOf(features, '1.0.0')

test('endpoints: ids are unique, and every open one says why', () => {
  const ids = endpoints.map((endpoint) => endpoint.id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  for (const { access } of endpoints) if (access.kind === 'open') expect(access.why).not.toBe('')
})

test('openapi: every endpoint has its place, a summary, and a description of each parameter', () => {
  const document = openApiDocument(endpoints, '1.0.0') as {
    paths: Record<
      string,
      Record<string, { operationId: string; summary: string; parameters: { description: string }[] }>
    >
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  expect(operations.map((operation) => operation.operationId).sort()).toEqual(
    endpoints.map((endpoint) => endpoint.id).sort(),
  )
  for (const operation of operations) {
    expect(operation.summary, operation.operationId).not.toBe('')
    for (const parameter of operation.parameters) expect(parameter.description, operation.operationId).not.toBe('')
  }
})

test('openapi: paths show where mounts stand by default', () => {
  const login =
    endpoints.find((endpoint) => endpoint.id === 'cert-login.login') ??
    endpoints.find((endpoint) => endpoint.path === '/login')
  expect(login && openApiPath(login)).toBe('/v1/auth/cert/login')
})
