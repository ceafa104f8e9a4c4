// Mails to approvers, through a real SMTP server.
import { DAY, HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { approverMailWorld, PORTAL } from './test-support/approver-mail-world.ts'
import { joao, maria } from './test-support/approvers.ts'

const toBoth = (subject: string) => [`Maria@example.com: ${subject}`, `joao@example.com: ${subject}`]

for (const [name, openStore] of Object.entries(testStores))
  describe(`mails to approvers on ${name}`, () => {
    const open = storesOf(openStore)

    test('a thousand files that park together are one mail to each person, whoever writes it', async () => {
      const world = await approverMailWorld(open)
      const instances = [await world.instance(), await world.instance()]
      const wake = () => Promise.all(instances.map((one) => one.wake()))
      await world.park(600)
      world.clock.advance(30 * SECOND)
      await world.park(400)
      world.clock.advance(59 * SECOND)
      await wake()
      expect(await world.sent()).toEqual([])
      world.clock.advance(SECOND)
      await wake()
      const first = toBoth('1000 files wait for your approval')
      expect(await world.sent()).toEqual(first)
      expect(world.smtp.inbox[0]!.text).toContain(PORTAL)
      world.clock.advance(10 * MINUTE)
      await world.park(1)
      world.clock.advance(4 * MINUTE)
      await wake()
      expect(await world.sent()).toEqual(first)
      world.clock.advance(MINUTE)
      await wake()
      expect(await world.sent()).toEqual([...first, ...toBoth('1 file waits for your approval')].toSorted())
      // After a restart nothing is told again.
      await (await world.instance()).wake()
      expect(await world.sent()).toHaveLength(4)
    })

    test('files that come without an end are told of all the same', async () => {
      const world = await approverMailWorld(open, { GatherSeconds: 30 })
      const worker = await world.instance()
      for (let come = 0; come < 15; come += 1) {
        await world.park(1)
        await worker.wake()
        world.clock.advance(20 * SECOND)
      }
      await worker.wake()
      expect(await world.sent()).toEqual(toBoth('15 files wait for your approval'))
    })

    test('nobody is told of a file that they decided about, or that waits no more', async () => {
      const world = await approverMailWorld(open)
      const worker = await world.instance()
      const [one, two, three] = await world.park(4)
      await world.decide(one!.id, maria)
      await world.expire(two!.id)
      world.clock.advance(MINUTE)
      await world.decide(three!.id, joao)
      await worker.wake()
      expect(await world.sent()).toEqual([
        'Maria@example.com: 2 files wait for your approval',
        'joao@example.com: 2 files wait for your approval',
      ])
    })

    test('a mail that waits for the SMTP server is not sent once everything in it is decided', async () => {
      const world = await approverMailWorld(open)
      const worker = await world.instance()
      world.smtp.behave({ kind: 'refuses', at: 'connection', code: 421 })
      const [one] = await world.park(1)
      world.clock.advance(MINUTE)
      await worker.wake()
      await world.mailer.idle()
      await world.decide(one!.id, maria)
      world.smtp.behave({ kind: 'accepts' })
      world.clock.advance(HOUR)
      expect(await world.sent()).toEqual(['joao@example.com: 1 file waits for your approval'])
    })

    test('what could not be written is written at the next look', async () => {
      const world = await approverMailWorld(open)
      const failing = { enqueue: () => Promise.reject(new Error('The process was killed here.')) }
      const worker = await world.instance({}, failing)
      await world.park(2)
      world.clock.advance(MINUTE)
      await worker.wake()
      expect(await world.sent()).toEqual([])
      await (await world.instance()).wake()
      expect(await world.sent()).toEqual(toBoth('2 files wait for your approval'))
    })

    test('reminds of what soon ends, once, with what ends within the hour', async () => {
      const world = await approverMailWorld(open, { Kinds: ['Reminder'], ReminderBefore: '04:00:00' })
      const worker = await world.instance()
      const rule = { expiresAfterSeconds: DAY / SECOND }
      const [one] = await world.park(1, rule)
      world.clock.advance(30 * MINUTE)
      await world.park(1, rule)
      world.clock.advance(2 * HOUR)
      await world.park(1, rule)
      await world.park(1)
      await world.decide(one!.id, joao)
      world.clock.advance(17.5 * HOUR - SECOND)
      await worker.wake()
      expect(await world.sent()).toEqual([])
      world.clock.advance(SECOND)
      await worker.wake()
      expect(await world.sent()).toEqual(['Maria@example.com: The time to approve 2 files is almost over'])
      world.clock.advance(HOUR)
      await worker.wake()
      expect(await world.sent()).toEqual([
        'Maria@example.com: The time to approve 2 files is almost over',
        'joao@example.com: The time to approve 1 file is almost over',
      ])
      expect(world.smtp.inbox[0]!.text).toContain('11/19/26')
    })

    test.each([false, true])(
      'tells of what expired and what was rejected, by name where Details is %s',
      async (Details) => {
        const world = await approverMailWorld(open, { Kinds: ['Expired', 'Rejected'], Details })
        const worker = await world.instance()
        const [one, two] = await world.park(2)
        await world.expire(one!.id)
        await world.decide(two!.id, joao, 'rejected', 'wrong payee')
        world.clock.advance(MINUTE)
        await worker.wake()
        expect(await world.sent()).toEqual([
          'Maria@example.com: 1 file expired without a decision',
          'Maria@example.com: 1 file was rejected',
          'joao@example.com: 1 file expired without a decision',
        ])
        const told = world.smtp.inbox.map(({ text }) => text).join('\n')
        for (const detail of ['João Reis', 'wrong payee', one!.fileName, two!.fileName, 'payments'])
          expect(told.includes(detail), detail).toBe(Details)
      },
    )

    test.each([false, true])('amounts are told where Amounts is %s', async (Amounts) => {
      const cnab240 = JSON.stringify({ totalFormatted: 'R$ 1.234,56' })
      const world = await approverMailWorld(open, { Details: true, Amounts })
      const worker = await world.instance()
      await world.park(25, {}, { cnab240 })
      world.clock.advance(MINUTE)
      await worker.wake()
      await world.sent()
      const { text } = world.smtp.inbox[0]!
      expect(text.split('R$ 1.234,56').length - 1).toBe(Amounts ? 20 : 0)
      expect(text).toContain('And 5 more.')
    })

    test('everybody reads in their language', async () => {
      const Languages = [{ Email: 'MARIA@example.com', Language: 'pt-BR' }]
      const world = await approverMailWorld(open, { Languages })
      const worker = await world.instance()
      await world.park(1)
      world.clock.advance(MINUTE)
      await worker.wake()
      expect(await world.sent()).toEqual([
        'Maria@example.com: 1 arquivo aguarda sua aprovação',
        'joao@example.com: 1 file waits for your approval',
      ])
    })

    test('the digest comes once a day at its hour at the site, whoever writes it, and to nobody without a file', async () => {
      const world = await approverMailWorld(open, { Kinds: ['Digest'], DigestHour: 13 })
      const [first] = await world.park(3, { approvers: [maria], minimumApprovers: 1 })
      const instances = [await world.instance(), await world.instance()]
      const wake = () => Promise.all(instances.map((one) => one.wake()))
      // That of yesterday is caught up with.
      const digest = (count: number) => `Maria@example.com: Today ${count} files wait for your approval`
      expect(await world.sent()).toEqual([digest(3)])
      world.clock.advance(HOUR - SECOND)
      await wake()
      expect(await world.sent()).toHaveLength(1)
      await world.decide(first!.id, maria)
      world.clock.advance(SECOND)
      await wake()
      expect(await world.sent()).toEqual([digest(2), digest(3)])
      await (await world.instance()).wake()
      world.clock.advance(DAY - SECOND)
      await wake()
      expect(await world.sent()).toHaveLength(2)
      world.clock.advance(SECOND)
      await wake()
      expect(await world.sent()).toHaveLength(3)
    })

    test('an address that no mail can be sent to stops nobody else', async () => {
      const world = await approverMailWorld(open)
      const worker = await world.instance()
      await world.park(1, { approvers: [{ ...joao, email: 'jo"ao@x' }, maria] })
      world.clock.advance(MINUTE)
      await worker.wake()
      expect(await world.sent()).toEqual(['Maria@example.com: 1 file waits for your approval'])
      expect(world.log()).toContain('an address that mail cannot be sent to')
      expect(world.log()).not.toContain('jo\\"ao')
    })

    test('what was told is forgotten when its mail has ended, and so is a kind that is told no more', async () => {
      const world = await approverMailWorld(open, { Kinds: ['Waiting', 'Reminder'] })
      const worker = await world.instance()
      await world.park(1, { expiresAfterSeconds: (40 * DAY) / SECOND })
      world.clock.advance(MINUTE)
      await worker.wake()
      await world.sent()
      expect((await world.notices()).map(({ kind, told_in }) => `${kind} ${told_in !== null}`).toSorted()).toEqual([
        'Reminder false',
        'Reminder false',
        'Waiting true',
        'Waiting true',
      ])
      world.clock.advance(4 * DAY)
      await worker.wake()
      expect((await world.notices()).map(({ kind }) => kind)).toEqual(['Reminder', 'Reminder'])
      await world.instance({ Kinds: ['Waiting'] })
      expect(await world.notices()).toEqual([])
    })
  })
