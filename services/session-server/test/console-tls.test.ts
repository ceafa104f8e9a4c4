import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tlsAuthority } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startSessionServer } from './test-support/session-world.ts'

test('agents dial the console over TLS, and a stop ends their connections', async () => {
  const authority = await tlsAuthority()
  const { certificateFile, keyFile } = await authority.issue()
  const Tls = { CertificateFile: certificateFile, KeyFile: keyFile }
  const world = await startSessionServer('SQLite', { settings: { Console: { Tls } } })
  expect(world.consoleUrl).toMatch(/^https:/)
  const address = `${world.consoleUrl.replace(/^http/, 'ws')}/agents/channel`

  const stranger = new WebSocket(address)
  const [refusal] = await once(
    stranger.on('close', () => {}),
    'error',
  )
  expect(refusal).toMatchObject({ code: expect.stringMatching(/CERT|SIGNATURE/) })

  const agent = new WebSocket(address, { ca: readFileSync(authority.caFile) })
  onTestFinished(() => agent.terminate())
  await once(agent, 'open')
  const ended = once(agent, 'close')
  await world.stop()
  await ended
})
