import { once } from 'node:events'
import { DAY, HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { resealTable } from '@chancela/service-kernel/secrets'
import { program } from '@chancela/testkit/programs'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { sealedMails } from './index.ts'
import { CODE, mailWorld, testMailSettings } from './test-support/mail-world.ts'

const soon = { interval: 10 }

/** A mailer in a process of its own, with one mail. */
const otherMailer = program(
  import.meta.url,
  `
  import { createMailer } from '@chancela/outbox/mail'
  import { openSecrets } from '@chancela/service-kernel/secrets'
  import { openStore } from '@chancela/service-kernel/store'
  import { pino } from 'pino'
  const { url, service, masterKey, settings } = JSON.parse(process.env.WORLD)
  const store = await openStore({ url, service })
  const secrets = openSecrets({ service, masterKeyFile: '', masterKey })
  const clock = () => new Date()
  const mailer = createMailer({ store, clock, secrets, settings, dataFolder: '/', logger: pino({ level: 'silent' }) })
  await store.transaction((tx) =>
    mailer.enqueue(tx, [{ kind: 'a', to: { address: 'a@b.example' }, subject: 'Antes da queda', text: 't', html: 'h' }], clock()))
  mailer.start()`,
)

for (const [name, open] of Object.entries(testStores)) {
  describe(`a mailer on ${name}`, () => {
    test('hands a mail over as it was written', async () => {
      const world = await mailWorld(open)
      const { mailer, enqueue } = world.start({ ReplyTo: 'ajuda@empresa.example' })
      await enqueue({})
      await mailer.idle()
      const [job] = await world.jobs()
      expect(world.smtp.inbox).toMatchObject([
        {
          envelope: { from: 'assinaturas@empresa.example', to: ['maria@example.com'] },
          messageId: `<${job!.id}@empresa.example>`,
          date: world.clock(),
          from: { name: 'Empresa Exemplo', address: 'assinaturas@empresa.example' },
          to: [{ name: 'Maria da Conceição', address: 'maria@example.com' }],
          subject: 'Seu código de autenticação',
          text: expect.stringContaining('Olá, Maria. O código é 481516.'),
          html: expect.stringContaining('<p>Olá, Maria. O código é <b>481516</b>.</p>'),
          headers: { 'reply-to': 'ajuda@empresa.example', 'auto-submitted': 'auto-generated' },
        },
      ])
      expect(job).toMatchObject({ state: 'done', attempts: 1 })
    })

    test('a mail of a change that was rolled back was never there', async () => {
      const world = await mailWorld(open)
      const { mailer } = world.start()
      const mail = { kind: 'a', to: { address: 'a@b.example' }, subject: 's', text: 't', html: 'h' }
      const change = world.store.transaction(async (tx) => {
        await mailer.enqueue(tx, [mail], world.clock())
        throw new Error('The change failed.')
      })
      await expect(change).rejects.toThrow('The change failed.')
      await mailer.idle()
      expect([await world.jobs(), await world.contents(), world.smtp.inbox]).toEqual([[], [], []])
    })

    test('what a mail says is sealed while it waits and forgotten once it is sent', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'recipient', code: 450 })
      const { mailer, enqueue } = world.start()
      await enqueue({})
      await mailer.idle()
      const waiting = await world.contents()
      expect(waiting).toHaveLength(1)
      expect(JSON.stringify([waiting, await world.jobs(), world.log()])).not.toContain(CODE)

      world.smtp.behave({ kind: 'accepts' })
      world.clock.advance(2 * MINUTE)
      await mailer.idle()
      expect(world.smtp.inbox[0]!.text).toContain(CODE)
      expect(await world.contents()).toEqual([])
      expect(JSON.stringify([await world.jobs(), world.log()])).not.toContain(CODE)
    })

    test('a rotation of the master key reaches the mails that wait', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'recipient', code: 450 })
      const { mailer, enqueue } = world.start()
      await enqueue({}, {})
      await mailer.idle()
      expect(await resealTable(world.store, world.secrets, sealedMails)).toMatchObject({
        alreadyNewest: 2,
        unopened: [],
      })
    })

    test('tries again at growing intervals, then gives the mail up and forgets what it says', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'message', code: 451 })
      const { mailer, enqueue, metricLines } = world.start({ MaxAttempts: 4 })
      await enqueue({})
      const waits: number[] = []
      for (let attempt = 1; attempt < 4; attempt += 1) {
        await mailer.idle()
        const [job] = await world.jobs()
        expect(job).toMatchObject({ state: 'waiting', attempts: attempt })
        waits.push(Date.parse(job!.due_at) - world.clock().getTime())
        world.clock.set(job!.due_at)
      }
      expect(waits).toEqual(waits.toSorted((a, b) => a - b))
      await mailer.idle()
      expect(await world.jobs()).toMatchObject([
        { state: 'dead', attempts: 4, last_error: 'Error: The SMTP server answered DATA: 451' },
      ])
      await expect.poll(world.contents, soon).toEqual([])
      expect(await metricLines()).toEqual([
        'mail_attempts_total{outcome="deferred"} 3',
        'mail_attempts_total{outcome="gave_up"} 1',
      ])
    })

    test('a mail that was taken but not answered is sent again under the same Message-ID', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'is-silent', at: 'message' })
      const { mailer, enqueue } = world.start({ TimeoutSeconds: 1 })
      await enqueue({})
      // On a busy machine an attempt may time out before the server has the mail.
      await expect
        .poll(async () => {
          await mailer.idle()
          world.clock.advance(10 * MINUTE)
          return world.smtp.inbox.length
        }, soon)
        .toBe(1)
      await mailer.stop()
      expect(await world.jobs()).toMatchObject([{ state: 'waiting' }])
      world.smtp.behave({ kind: 'accepts' })
      world.clock.advance(DAY)
      await world.start().mailer.idle()
      const ids = world.smtp.inbox.map(({ messageId }) => messageId)
      expect(ids).toHaveLength(2)
      expect(new Set(ids).size).toBe(1)
    })

    test.each([
      ['recipient', 'HopelessJob: The SMTP server answered RCPT TO: 550 Nobody here.'],
      ['message', 'HopelessJob: The SMTP server answered DATA: 550'],
    ] as const)('a permanent refusal of the %s ends the mail at once', async (at, last_error) => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at, code: 550, text: 'Nobody here.' })
      const { mailer, enqueue, metricLines } = world.start()
      await enqueue({})
      await mailer.idle()
      expect(await world.jobs()).toMatchObject([{ state: 'dead', attempts: 1, last_error }])
      await expect.poll(world.contents, soon).toEqual([])
      expect(await metricLines()).toEqual(['mail_attempts_total{outcome="refused"} 1'])
    })

    test('a refusal of the sender is for the operator to mend: the mail waits', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'sender', code: 550, text: 'Not you.' })
      const { mailer, enqueue, metricLines } = world.start()
      await enqueue({})
      await mailer.idle()
      expect(await world.jobs()).toMatchObject([
        { state: 'waiting', last_error: 'Error: The SMTP server answered MAIL FROM: 550 Not you.' },
      ])
      expect(await metricLines()).toEqual(['mail_attempts_total{outcome="deferred"} 1', 'mail_waiting 1'])
    })

    test('a server that quotes the mail in its refusal brings no code into the log or the job', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'message', code: 451, text: `"O código é ${CODE}" looks like spam.` })
      const { mailer, enqueue } = world.start()
      await enqueue({})
      await mailer.idle()
      expect(world.log()).toContain('The SMTP server answered DATA: 451')
      expect(JSON.stringify([await world.jobs(), world.log()])).not.toContain(CODE)
    })

    test('a mail is not sent after the time it was of use', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'connection', code: 421 })
      const { mailer, enqueue, metricLines } = world.start()
      await enqueue({ deliverBy: new Date(world.clock().getTime() + 10 * MINUTE) })
      await mailer.idle()
      world.smtp.behave({ kind: 'accepts' })
      world.clock.advance(HOUR)
      await mailer.idle()
      expect(world.smtp.inbox).toEqual([])
      expect(await world.jobs()).toMatchObject([{ state: 'dead', attempts: 2 }])
      expect(await metricLines()).toContain('mail_attempts_total{outcome="expired"} 1')
    })

    test('a mail that became pointless while it waited is not sent', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'connection', code: 421 })
      const decided = new Set<string>()
      const { mailer, enqueue, metricLines } = world.start({}, 60, async (about) => decided.has(about))
      await enqueue({ about: 'one' }, { about: 'two' }, {})
      await mailer.idle()
      world.smtp.behave({ kind: 'accepts' })
      decided.add('one')
      world.clock.advance(HOUR)
      await mailer.idle()
      expect(world.smtp.inbox).toHaveLength(2)
      expect(await world.contents()).toEqual([])
      expect((await world.jobs()).map(({ state }) => state)).toEqual(['done', 'done', 'done'])
      expect(await metricLines()).toContain('mail_attempts_total{outcome="expired"} 1')
    })

    test('many mails share the connections', async () => {
      const world = await mailWorld(open)
      const { mailer, enqueue, metricLines } = world.start({ Connections: 2 })
      await enqueue(...Array.from({ length: 60 }, (_, n) => ({ to: { address: `p${n}@example.com` } })))
      await mailer.idle()
      const reached = world.smtp.inbox.flatMap(({ envelope }) => envelope.to)
      expect(reached).toHaveLength(60)
      expect(new Set(reached).size).toBe(60)
      expect(world.smtp.seen('connection')).toBeLessThanOrEqual(2)
      expect(await metricLines()).toEqual(['mail_attempts_total{outcome="sent"} 60'])
    })

    test('no more mails leave in a minute than the setting allows', async () => {
      const world = await mailWorld(open)
      const { mailer, enqueue } = world.start({ PerMinute: 2 }, HOUR / SECOND)
      const start = world.clock()
      await enqueue({}, {}, {}, {}, {})
      for (const sent of [2, 4, 5]) {
        await expect.poll(() => world.smtp.inbox.length, soon).toBeGreaterThanOrEqual(sent)
        world.clock.advance(MINUTE)
      }
      await mailer.idle()
      const minutes = world.smtp.inbox.map(({ date }) => (date.getTime() - start.getTime()) / MINUTE)
      expect(minutes.sort()).toEqual([0, 0, 1, 1, 2])
    })

    test('stopping gives back at once what waits for its turn, and the attempt does not count', async () => {
      const world = await mailWorld(open)
      const { mailer, enqueue } = world.start({ PerMinute: 1 })
      await enqueue({}, {})
      await expect
        .poll(async () => (await world.jobs()).map(({ state }) => state).sort(), soon)
        .toEqual(['claimed', 'done'])
      await mailer.stop({ drainSeconds: 600 })
      expect((await world.jobs()).map(({ state, attempts }) => [state, attempts]).sort()).toEqual([
        ['done', 1],
        ['waiting', 0],
      ])
    })

    test('several mailers share one outbox, and each mail is sent once', async () => {
      const world = await mailWorld(open)
      const [one, other] = [world.start(), world.start()]
      await one.enqueue(...Array.from({ length: 40 }, () => ({})))
      await Promise.all([one.mailer.idle(), other.mailer.idle()])
      await expect.poll(async () => (await world.jobs()).every(({ state }) => state === 'done'), soon).toBe(true)
      expect(new Set(world.smtp.inbox.map(({ messageId }) => messageId)).size).toBe(40)
      expect(world.smtp.inbox).toHaveLength(40)
    })

    test('a mailer killed between claim and answer leaves its mail to the next, once the lease has run out', async () => {
      const world = await mailWorld(open)
      world.clock.set(new Date())
      world.smtp.behave({ kind: 'is-silent', at: 'recipient' })
      const { url, service } = world.store
      const settings = testMailSettings(world.smtp.port)
      const child = await otherMailer({ WORLD: JSON.stringify({ url, service, masterKey: world.masterKey, settings }) })
      await expect.poll(() => world.smtp.seen('recipient'), soon).toBe(1)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended

      world.smtp.behave({ kind: 'accepts' })
      const { mailer } = world.start()
      await mailer.idle()
      expect(world.smtp.inbox).toEqual([])
      world.clock.advance(2 * HOUR)
      await mailer.idle()
      expect(world.smtp.inbox).toMatchObject([{ subject: 'Antes da queda' }])
      expect(await world.jobs()).toMatchObject([{ state: 'done', attempts: 2 }])
      expect(await world.contents()).toEqual([])
    })

    test('a start forgets what a crash kept from being forgotten', async () => {
      const world = await mailWorld(open)
      await world.store.db.insertInto('mail').values({ id: 'of-a-mail-that-ended', sealed_content: '' }).execute()
      world.start()
      await expect.poll(world.contents, soon).toEqual([])
    })

    test('forgets after a month to whom a mail could not be sent', async () => {
      const world = await mailWorld(open)
      world.smtp.behave({ kind: 'refuses', at: 'recipient', code: 550 })
      const { mailer, enqueue } = world.start()
      await enqueue({ to: { address: 'early@example.com' } })
      await mailer.idle()
      world.clock.advance(31 * DAY)
      await enqueue({ to: { address: 'late@example.com' } })
      await mailer.idle()
      await expect
        .poll(async () => (await world.jobs()).map(({ state, payload }) => [state, JSON.parse(payload).to]), soon)
        .toEqual([['dead', 'late@example.com']])
    })

    test('writes nothing while mail is switched off', async () => {
      const world = await mailWorld(open)
      const { mailer, enqueue } = world.start({ Enabled: false })
      await enqueue({})
      await mailer.idle()
      expect([await world.jobs(), await world.contents()]).toEqual([[], []])
    })
  })
}
