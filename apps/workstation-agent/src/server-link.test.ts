import { systemClock } from '@chancela/service-kernel/clock'
import { identityOf, newIdentitySecret } from '@chancela/session-server/channel'
import { expect, test, vi } from 'vitest'
import { LinkStatus } from './link-status.ts'
import { ServerLink } from './server-link.ts'

const enrolledAt = (server: string) => ({
  server,
  serverPublicKey: identityOf(newIdentitySecret()).publicKey,
  workstationId: 'w-1',
  name: 'Recepção',
  secret: newIdentitySecret(),
})

for (const [what, server] of [
  ['has a name that nobody knows', 'http://sessions.invalid'],
  ['refuses connections', 'http://127.0.0.1:9'],
  ['has an address that is none', 'http://sessions.invalid:99999'],
] as const)
  test(`whose server ${what}, and whose log fails, dials again and again until it is stopped`, async () => {
    let turns = 0
    const link = new ServerLink({
      enrolment: enrolledAt(server),
      clock: systemClock,
      backOff: { first: 1, longest: 2 },
      status: new LinkStatus(systemClock),
      log: () => {
        throw new Error('the terminal is gone')
      },
      onMessage: async () => {},
      onEnd: async () => {
        turns++
        throw new Error('nobody is left to ask')
      },
    })
    const ended = link.run()
    await Promise.race([ended, vi.waitUntil(() => turns >= 40, { interval: 10 })])
    expect(turns).toBeGreaterThanOrEqual(40)
    link.stop()
    expect(await ended).toBe('stopped')
  })
