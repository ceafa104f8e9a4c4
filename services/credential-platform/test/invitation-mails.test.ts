// People are invited by e-mail where the service sends any.
import { startSmtpServer } from '@chancela/testkit/mail'
import { callerOf } from '@chancela/testkit/service-world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { databases, organizationAt, PASSWORD, startPlatform } from './test-support/credential-world.ts'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>
beforeAll(async () => {
  smtp = await startSmtpServer()
})
afterAll(() => smtp.stop())

const soon = { interval: 20 }

for (const database of databases) {
  describe(`invitations by mail on ${database}`, () => {
    test('the link goes to the person alone, in the language of whoever invites, and lets them in', async () => {
      const Email = { Enabled: true, Host: '127.0.0.1', Port: smtp.port, Security: 'None', From: 'ies@example.com' }
      const world = await startPlatform(database, { Email })
      const { json, subscriptionId, system } = { ...(await organizationAt(world)), system: world.system }
      const { name: organization } = (await system.json('GET', '/api/subscriptions')).body.items.find(
        ({ id }: { id: string }) => id === subscriptionId,
      )
      const address = `${crypto.randomUUID()}@example.com`
      const inbox = () => smtp.inbox.filter(({ envelope }) => envelope.to.includes(address))
      const made = await json('POST', '/api/users', { name: 'Bruna Lima', email: address, role: 'Gerente' })
      expect([made.status, made.body.invitationUrl, made.body.invitationMailed]).toEqual([201, null, true])
      await vi.waitUntil(() => inbox().length === 1, soon)
      expect(inbox()[0]!.subject).toBe(`Convite: ${organization}`)
      expect(inbox()[0]!.text).toContain('Olá, Bruna Lima!')

      const path = `/api/users/${made.body.id}/invitation`
      const again = await json('POST', path, undefined, { 'accept-language': 'en-US' })
      expect(again.body).toMatchObject({ invitationUrl: null, invitationMailed: true })
      await vi.waitUntil(() => inbox().length === 2, soon)
      expect(inbox()[1]!.subject).toBe(`Invitation: ${organization}`)

      const [url] = /https?:\/\/\S+\/invitation\?ticket=\S+/.exec(inbox()[1]!.text) ?? ['']
      const ticket = new URL(url).searchParams.get('ticket')
      const anybody = callerOf(world.baseUrl)
      const accepted = await anybody.json('POST', '/api/session/invitation', { ticket, password: PASSWORD })
      expect([accepted.status, accepted.body.email]).toEqual([200, address])
      const late = await json('POST', path)
      expect(late.body).toMatchObject({ accepted: true, invitationUrl: null, invitationMailed: false })
      expect(inbox()).toHaveLength(2)
      await expect.poll(() => world.log(), soon).toContain('"msg":"mail sent"')
      expect(world.log()).toContain(`"to":"${address[0]}***@example.com"`)
      expect(world.log()).not.toContain(address)
    })
  })
}
