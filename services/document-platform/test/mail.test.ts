import { describe, expect, test } from 'vitest'
import { fileMailbox } from './test-support/mailbox.ts'
import { approver, createDocument, databases, people, sharedPlatform, signer } from './test-support/platform-world.ts'

const { Email, fromNowOn } = await fileMailbox()

for (const database of databases) {
  describe(`e-mail on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })

    test('participants of the first step are told, each in the language of the action, with a link that acts', async () => {
      const world = await platform()
      const { mails } = fromNowOn()
      await createDocument(
        world,
        [signer(people.ana), signer(people.bruno, { notificationLanguage: 'En' }), approver(people.carla, { step: 2 })],
        { description: 'Leia antes.' },
      )
      const inbox = await mails(2)
      const to = (address: string) => inbox.find((mail) => JSON.stringify(mail.to).includes(address))!
      expect(inbox).toHaveLength(2)
      expect(to('ana@example.com').text).toContain('Leia antes.')
      expect(to('ana@example.com').text).toMatch(/\/document\/key\/[A-Z2-9]{20}\/sign\?ticket=/)
      expect(to('ana@example.com').subject).not.toBe(to('bruno@example.com').subject)
    })

    test('nobody is told where the document says so', async () => {
      const world = await platform()
      const { inbox, mails } = fromNowOn()
      await createDocument(world, [signer(people.ana)], { disableNotifications: true })
      await createDocument(world, [signer(people.ana)], { disablePendingActionNotifications: true })
      await createDocument(world, [signer(people.bruno)])
      await mails(1)
      expect(inbox().map(({ to }) => JSON.stringify(to))).toEqual([expect.stringContaining('bruno@example.com')])
    })

    test('a cancellation and a refusal are told to those who were asked and who watch', async () => {
      const world = await platform()
      const { mails } = fromNowOn()
      const over = { disablePendingActionNotifications: true, observers: [{ user: people.carla }] }
      const canceled = await createDocument(world, [signer(people.ana), signer(people.bruno, { step: 2 })], over)
      await world.json('POST', `/api/documents/${canceled}/cancellation`, { reason: 'Trocado.' })
      const first = await mails(2)
      expect(first.map(({ to }) => JSON.stringify(to)).sort()).toEqual([
        expect.stringContaining('ana@example.com'),
        expect.stringContaining('carla@example.com'),
      ])
      expect(first.every(({ text }) => text?.includes('Trocado.'))).toBe(true)
      const refused = await createDocument(world, [signer(people.ana)], { disablePendingActionNotifications: true })
      await world.json('POST', `/api/documents/${refused}/refusal`, { reason: 'Não confere.' })
      expect((await mails(3))[2]!.text).toContain('Não confere.')
    })
  })
}
