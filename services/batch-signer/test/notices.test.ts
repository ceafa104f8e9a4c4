// Notices to operators: mails of held profiles and folders and of certificates that expire soon, through a real SMTP server.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMailer } from '@chancela/outbox/mail'
import { DAY, MINUTE, plus } from '@chancela/service-kernel/clock'
import { type TestClock, testClock } from '@chancela/testkit/clock'
import { startSmtpServer } from '@chancela/testkit/mail'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBatchMetrics } from '../src/metrics.ts'
import { configuredFolders } from '../src/parts/folders/folder-directory.ts'
import { FolderHolds } from '../src/parts/folders/folder-holds.ts'
import { ProfileHeld } from '../src/rules/conditions.ts'
import { storesOf } from '../src/test-support/as-new.ts'
import { newJob, type OpenStore } from '../src/test-support/ledger-world.ts'
import { createWorkArea } from '../src/upstream/storage/local/work-area.ts'
import { Notices } from '../src/workers/notices/notices.ts'
import { openSigningWorld, runningPki, seed } from './test-support/signing-world.ts'

async function endOf(label: string): Promise<Date> {
  const { pki } = await runningPki()
  return new Date(pki.certificate(label).x509.validTo)
}

async function noticeWorld(open: OpenStore, clock: TestClock, notices: Readonly<Record<string, unknown>> = {}) {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const settings = {
    Notices: { Recipients: ['ops@bank.example', 'night@bank.example'], Language: 'en-US', ...notices },
    Email: { Enabled: true, Host: '127.0.0.1', Port: smtp.port, Security: 'None', From: 'batch@bank.example' },
    Storage: { Inputs: [{ Name: 'erp', Path: 'in', OutputPath: 'out' }] },
  }
  const world = await openSigningWorld({
    open,
    clock,
    settings,
    seeds: [seed('payroll', { Format: 'Cades', InputFolder: 'erp' })],
  })
  const { metrics: _, ...context } = world.context
  const mailer = createMailer({ ...context, settings: context.settings.Email })
  mailer.start()
  onTestFinished(() => mailer.stop())
  const metrics = openBatchMetrics(world.context)
  const [input, output] = ['in', 'out'].map((name) => join(world.folder, name)) as [string, string]
  for (const path of [input, output]) mkdirSync(path)
  const watched = configuredFolders(world.context)
  const work = await createWorkArea({ root: world.folder })
  const folderHolds = new FolderHolds(world.context, { watched, work, firstRetryMs: 10 * MINUTE })
  onTestFinished(() => folderHolds.close())
  const begin = () => new Notices(world.context, { profiles: world.profiles, watched, folderHolds, mailer, metrics })
  const look = async (one: Notices) => {
    await one.look()
    await mailer.idle()
    return smtp.inbox.map(({ subject }) => subject)
  }
  const events = async (type: string) => (await world.context.events.list({ type })).total
  return { ...world, smtp, begin, look, events, input, output, folderHolds }
}

for (const [name, openStore] of Object.entries(testStores))
  describe(`notices on ${name}`, () => {
    const open = storesOf(openStore)

    test('tell of a certificate 30, 15, 7 and 1 days before its end, each once, also after a restart', async () => {
      const end = await endOf('ana-souza')
      const clock = testClock(plus(end, -40 * DAY))
      const world = await noticeWorld(open, clock)
      const notices = world.begin()
      expect(await world.look(notices)).toEqual([])
      const subjects: string[] = []
      for (const [left, told] of [
        [30, 30],
        [20, undefined],
        [6.5, 7],
        [5, undefined],
        [0.5, 1],
      ] as const) {
        clock.set(plus(end, -left * DAY))
        const subject = told === 1 ? 'expires within a day' : `expires in ${told} days`
        if (told !== undefined) subjects.push(...Array(2).fill(`The certificate of payroll ${subject}`))
        expect(await world.look(notices)).toEqual(subjects)
      }
      expect(await world.look(world.begin())).toEqual(subjects)
      expect(await world.events('CertificateExpiring')).toBe(3)
      expect(new Set(world.smtp.inbox.flatMap(({ envelope }) => envelope.to))).toEqual(
        new Set(['ops@bank.example', 'night@bank.example']),
      )
    })

    test('tell of a profile that stays held and that it signs again, and not of a short outage', async () => {
      const clock = testClock(new Date())
      const world = await noticeWorld(open, clock, { Recipients: ['ops@bank.example'], Language: 'pt-BR' })
      const notices = world.begin()
      notices.start()
      onTestFinished(() => notices.stop())
      const { holds } = world.profiles
      holds.begin('payroll', new ProfileHeld('pin-refused', 'Said by the test.'))
      clock.advance(MINUTE)
      expect(await world.look(notices)).toEqual([])
      clock.advance(MINUTE)
      const held = 'O perfil payroll está retido: arquivos aguardam'
      expect(await world.look(notices)).toEqual([held])
      expect(world.smtp.inbox[0]).toMatchObject({ text: expect.stringContaining('O token não aceita o PIN') })
      expect(await world.look(notices)).toEqual([held])
      holds.end('payroll')
      expect(await world.look(notices)).toEqual([held, 'O perfil payroll voltou a assinar'])
    })

    test.each([
      [
        'pt-BR',
        {
          held: 'A pasta erp está parada: arquivos aguardam',
          why: 'A pasta de saída não pode ser usada.',
          waiting: /Arquivos aguardando:?\s+1\b/,
          detail: (path: string) => `A pasta de saída não pode ser usada agora. ${path} não existe.`,
          resumed: 'A pasta erp voltou a funcionar',
          english: /\b(the|is|was|files|waiting)\b/i,
        },
      ],
      [
        'en-US',
        {
          held: 'Folder erp is stopped: files wait',
          why: 'The output folder cannot be used.',
          waiting: /Files waiting:?\s+1\b/,
          detail: (path: string) => `${path} does not exist.`,
          resumed: 'Folder erp goes on',
          english: /nothing that nobody says/,
        },
      ],
    ] as const)(
      'tell in %s of a folder that stays held and that it goes on, once each, and not of a short outage',
      async (Language, said) => {
        const clock = testClock(new Date())
        const world = await noticeWorld(open, clock, { Language })
        await world.context.ledger.enqueue(newJob({ inputFolder: 'erp', profileName: 'payroll' }), clock())
        const notices = world.begin()
        notices.start()
        onTestFinished(() => notices.stop())
        rmSync(world.output, { recursive: true })
        await world.folderHolds.look('erp')
        mkdirSync(world.output)
        expect(await world.folderHolds.tryNow('erp')).toBeUndefined()
        clock.advance(5 * MINUTE)
        expect(await world.look(notices)).toEqual([])
        rmSync(world.output, { recursive: true })
        await world.folderHolds.look('erp')
        clock.advance(MINUTE)
        expect(await world.look(notices)).toEqual([])
        clock.advance(MINUTE)
        const both = (subject: string) => [subject, subject]
        expect(await world.look(notices)).toEqual(both(said.held))
        expect(await world.look(notices)).toEqual(both(said.held))
        const [mail] = world.smtp.inbox
        expect(mail!.text).toContain(said.why)
        expect(mail!.text.replaceAll(/\s+/g, ' ')).toContain(said.detail(world.output))
        expect(mail!.text).toMatch(said.waiting)
        expect(mail!.text.replaceAll(world.folder, '')).not.toMatch(said.english)
        mkdirSync(world.output)
        expect(await world.folderHolds.tryNow('erp')).toBeUndefined()
        expect(await world.look(notices)).toEqual([...both(said.held), ...both(said.resumed)])
        expect(new Set(world.smtp.inbox.flatMap(({ envelope }) => envelope.to))).toEqual(
          new Set(['ops@bank.example', 'night@bank.example']),
        )
      },
    )

    test('tell of an input folder that is gone although no file came from it and nobody asked for readiness', async () => {
      const clock = testClock(new Date())
      const world = await noticeWorld(open, clock, { Recipients: ['ops@bank.example'] })
      const notices = world.begin()
      notices.start()
      onTestFinished(() => notices.stop())
      rmSync(world.input, { recursive: true })
      expect(await world.look(notices)).toEqual([])
      clock.advance(2 * MINUTE)
      expect(await world.look(notices)).toEqual(['Folder erp is stopped: files wait'])
      expect(world.smtp.inbox[0]?.text).toContain('The input folder cannot be used.')
      mkdirSync(world.input)
      expect(await world.folderHolds.tryNow('erp')).toBeUndefined()
      expect((await world.look(notices)).at(-1)).toBe('Folder erp goes on')
    })

    test('give the end of each certificate as a metric', async () => {
      const world = await noticeWorld(open, testClock(new Date()))
      const notices = world.begin()
      notices.start()
      onTestFinished(() => notices.stop())
      const seconds = (await endOf('ana-souza')).getTime() / 1000
      const line = `bulk_profile_certificate_not_after_timestamp_seconds{profile="payroll"} ${seconds}`
      expect(await world.context.metrics.text()).toContain(line)
    })
  })
