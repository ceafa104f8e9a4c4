import { DAY, HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import { approver, createDocument, databases, people, sharedPlatform, ticketOf } from './test-support/platform-world.ts'

const { Email, fromNowOn } = await fileMailbox()

for (const database of databases) {
  describe(`the link of an action on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })

    /** The link in a mail about a document. */
    const linkIn = async ({ inbox }: ReturnType<typeof fromNowOn>, key: string) => {
      const text = await vi.waitUntil(() => inbox().find((mail) => mail.text.includes(key))?.text, { interval: 20 })
      const [, ticket] = /\/sign\?ticket=(\S+)/.exec(text)!
      return { key, ticket: decodeURIComponent(ticket!), text }
    }

    test('says how long it lasts, and when it has expired its page sends a new one to the known address', async () => {
      const world = await platform()
      const first = fromNowOn()
      const id = await createDocument(world, [approver(people.ana)])
      const { key } = (await world.json('GET', `/api/documents/${id}`)).body
      const old = await linkIn(first, key)
      expect(old.text).toContain('O link vale por 24 horas.')
      const action = (ticket: string) =>
        world.json('GET', `/api/documents/keys/${key}/action?ticket=${encodeURIComponent(ticket)}`)
      const expiry = new Date(world.clock().getTime() + DAY).toISOString()
      expect((await action(old.ticket)).body.action.ticketExpirationDate).toBe(expiry)
      world.clock.advance(3 * DAY)
      expect((await action(old.ticket)).body.code).toBe('ActionTicketInvalidOrExpired')
      const second = fromNowOn()
      const renew = (ticket: string) => world.json('POST', `/api/documents/keys/${key}/action-link`, { ticket })
      expect(await renew(old.ticket)).toMatchObject({ status: 200, body: { sentTo: 'a**@example.com' } })
      expect(await renew(old.ticket)).toMatchObject({ status: 429, body: { code: 'TooManyRequests' } })
      const fresh = await linkIn(second, key)
      expect((await action(fresh.ticket)).status).toBe(200)
      expect((await world.json('GET', `/api/documents/${id}/timeline`)).body.at(-1)).toMatchObject({
        type: 'LinkSent',
        agent: { name: people.ana.name, type: 'Participant' },
      })
      world.clock.advance(MINUTE)
      expect((await renew(old.ticket)).status).toBe(200)
    })

    test('is not renewed when nothing is left to do, or for a ticket of nobody', async () => {
      const world = await platform()
      const id = await createDocument(world, [approver(people.ana)])
      const { key, ticket } = await ticketOf(world, id, people.ana.identifier)
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Trocado.' })
      world.clock.advance(30 * HOUR)
      const renew = (given: string) => world.json('POST', `/api/documents/keys/${key}/action-link`, { ticket: given })
      expect((await renew(ticket)).body.code).toBe('InvalidFlowAction')
      expect((await renew('forged')).body.code).toBe('ActionTicketInvalidOrExpired')
    })

    test('colleagues behind one address get their codes', async () => {
      const world = await platform()
      const ids = await Promise.all(Array.from({ length: 8 }, () => createDocument(world, [approver(people.ana)])))
      for (const id of ids) {
        const { key, ticket } = await ticketOf(world, id, people.ana.identifier)
        const { status } = await world.json('POST', `/api/documents/keys/${key}/authentication-code`, { ticket })
        expect(status).toBe(200)
      }
    })
  })
}
