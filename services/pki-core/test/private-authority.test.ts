import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { openCloudHub } from '@chancela/service-links'
import { testClock } from '@chancela/testkit/clock'
import { temporaryFolder, tlsAuthority } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'

/** A hub over TLS with a certificate of a private authority. */
async function privateHub() {
  const authority = await tlsAuthority()
  const { certificate: cert, key } = await authority.issue()
  const server = createServer({ cert, key }, (_request, response) => void response.end('"state"'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `https://localhost:${(server.address() as AddressInfo).port}`, caFile: authority.caFile }
}

function opened(Endpoint: string, CaFile?: string, dataFolder = temporaryFolder()) {
  const closing = { add: (_what: string, close: () => Promise<void> | void) => onTestFinished(async () => close()) }
  const settings = { Endpoint, ApiKey: 'key', TimeoutSeconds: 10, ...(CaFile !== undefined && { CaFile }) }
  return openCloudHub(
    { service: 'pki-core', dataFolder, closing, clock: testClock(), readiness: { add: () => {} } },
    settings,
  )!
}

test('a service with a certificate of a private authority is trusted where that is named, and nowhere else', async () => {
  const { endpoint, caFile } = await privateHub()
  expect(await opened(endpoint, caFile).customState('session')).toBe('state')
  await expect(opened(endpoint).customState('session')).rejects.toMatchObject({ code: 'unreachable' })
  const { caFile: another } = await tlsAuthority()
  await expect(opened(endpoint, another).customState('session')).rejects.toMatchObject({ code: 'unreachable' })
})

test('a file without authorities is reported at the start', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'empty.pem'), '')
  for (const file of ['empty.pem', 'none.pem']) {
    const open = () => opened('https://localhost', file, folder)
    expect(open).toThrow(StartupProblem)
    expect(open).toThrow(expect.objectContaining({ setting: 'pki-core CloudHub:CaFile' }))
  }
})
