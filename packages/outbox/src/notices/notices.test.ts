import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DAY, MINUTE } from '@chancela/service-kernel/clock'
import { createHeartbeats, createReadiness } from '@chancela/service-kernel/health'
import { createLogger } from '@chancela/service-kernel/http'
import { testClock } from '@chancela/testkit/clock'
import { startSmtpServer } from '@chancela/testkit/mail'
import { startReceiver } from '@chancela/testkit/receiver'
import { whenDone } from '@chancela/testkit/test-files'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { testMailSettings } from '../mail/test-support/mail-world.ts'
import { describeCauses, type NoticeSettings, noticeRules, watchReadiness } from './index.ts'
import type { NoticesOptions } from './notices.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const TO = 'operacao@empresa.example'

const silent: NoticeSettings = { Recipients: [], Language: 'en-US', AfterMinutes: 2 }

/** A service whose check `database` is as it is said, watched by a mail address and a webhook. */
async function world({
  Notices = {},
  ...options
}: { Notices?: Partial<NoticeSettings> } & Partial<NoticesOptions> = {}) {
  const clock = testClock()
  let statusOfReceiver = 200
  const receiver = await startReceiver((_, response) => void response.writeHead(statusOfReceiver).end())
  const smtp = await startSmtpServer()
  whenDone(() => smtp.stop())
  const readiness = createReadiness({ cacheSeconds: 0, clock })
  const closes: (() => Promise<void> | void)[] = []
  whenDone(async () => {
    for (const close of closes) await close()
  })
  const red = new Map<string, string>()
  for (const check of ['database', 'folder:a'])
    readiness.add(check, async () => (red.has(check) ? { ok: false, detail: red.get(check)! } : { ok: true }))
  const notices = watchReadiness(
    {
      clock,
      readiness,
      dataFolder: '/',
      heartbeats: createHeartbeats(),
      logger: createLogger({ service: 'watched', level: 'silent' }),
      closing: { add: (_, close) => void closes.push(close) },
      settings: {
        Notices: { ...silent, Recipients: [TO], WebhookUrl: receiver.url, WebhookSecret: SECRET, ...Notices },
        Email: testMailSettings(smtp.port),
      },
    },
    { service: 'session-server', ...options },
  )
  const types = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  return {
    clock,
    readiness,
    smtp,
    red,
    receiver,
    types,
    subjects: () => smtp.inbox.map(({ subject }) => subject),
    receiverAnswers: (status: number) => {
      statusOfReceiver = status
    },
    /** Time passes, then somebody looks. */
    later: async (milliseconds: number) => {
      clock.advance(milliseconds)
      await notices.look()
    },
  }
}

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Names up to the first colon, as the sources add them; the compact variant's own are in no notice. */
function checkNamesIn(folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const sources = files.filter((file) => /\/src\/.*\.ts$/.test(file) && !/node_modules|test|\/compact\//.test(file))
  const added = /(?:readiness\.add|watchUpstream|watchAddress)\(\s*(?:context,\s*|\{[^}]*\},\s*)?['`]([a-z-]+)/g
  const shown = /`([a-z-]+):\$\{/g
  const names = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const ofProfiles = /(?:signing-profile|provider)/
    return [
      ...[...text.matchAll(added)].map(([, name]) => name!),
      // Names that are made before they are added.
      ...(text.includes('readiness.add(')
        ? [...text.matchAll(shown)].map(([, name]) => name!).filter((name) => ofProfiles.test(name))
        : []),
    ]
  })
  return [...new Set(names)]
}

describe('notices to operators', () => {
  test('tell a red check once, again after a day, and once when it is over, by mail and by webhook', async () => {
    const { red, later, types, subjects } = await world()
    await later(0)
    red.set('database', 'read-only')
    await later(0)
    await later(MINUTE)
    expect(types()).toEqual([])
    await later(MINUTE)
    expect(types()).toEqual(['notice.began'])
    await later(DAY - MINUTE)
    expect(types()).toEqual(['notice.began'])
    await later(MINUTE)
    expect(types()).toEqual(['notice.began', 'notice.continues'])
    red.clear()
    await later(MINUTE)
    await later(2 * MINUTE)
    await later(DAY)
    expect(types()).toEqual(['notice.began', 'notice.continues', 'notice.over'])
    expect(subjects()).toEqual([
      'session-server: The database takes no changes',
      'session-server: Still: The database takes no changes',
      'session-server: Over: The database takes no changes',
    ])
  })

  test('tell what is no check of readiness, once, and not its end while it cannot be found out', async () => {
    let found: 'locked' | 'none' | 'unknown' = 'locked'
    const conditions = async () => {
      if (found === 'unknown') throw new Error('the database is away')
      return [{ name: 'cpfs-locked', ok: found === 'none', detail: '***.982.247-**' }]
    }
    const { readiness, later, types, subjects } = await world({ conditions })
    await later(0)
    await later(2 * MINUTE)
    expect(await readiness.verdict()).toMatchObject({ ready: true })
    found = 'unknown'
    for (let times = 0; times < 5; times++) await later(MINUTE)
    expect(types()).toEqual(['notice.began'])
    found = 'none'
    await later(MINUTE)
    await later(2 * MINUTE)
    expect(subjects()).toEqual([
      'session-server: CPFs are locked after wrong PINs',
      'session-server: Over: CPFs are locked after wrong PINs',
    ])
  })

  test('what comes and goes is told once until it stays away', async () => {
    const { red, later, types } = await world()
    red.set('database', 'x')
    await later(0)
    await later(2 * MINUTE)
    for (let times = 0; times < 5; times++) {
      red.clear()
      await later(MINUTE)
      red.set('database', 'x')
      await later(MINUTE)
    }
    expect(types()).toEqual(['notice.began'])
  })

  test('are signed, and name check, severity, beginning, reason and the sentence in both languages', async () => {
    const { red, later, receiver } = await world({ Notices: { AfterMinutes: 0 } })
    red.set('database', 'read-only')
    await later(0)
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]]
    // The clock of tests is not that of the machine, which the library compares with.
    const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature } = headers
    expect(new Webhook(SECRET).sign(String(id), new Date(Number(seconds) * 1000), body)).toBe(signature)
    expect(JSON.parse(body)).toMatchObject({
      type: 'notice.began',
      data: {
        service: 'session-server',
        check: 'database',
        severity: 'critical',
        detail: 'read-only',
        text: { 'pt-BR': expect.any(String), 'en-US': expect.any(String) },
      },
    })
  })

  test('a receiver that fails is told at the next look, and keeps nobody else from being told', async () => {
    const { red, later, types, subjects, receiverAnswers } = await world({ Notices: { AfterMinutes: 0 } })
    receiverAnswers(500)
    red.set('database', 'x')
    await later(0)
    await later(MINUTE)
    expect([types().length, subjects().length]).toEqual([2, 1])
    receiverAnswers(200)
    await later(MINUTE)
    await later(MINUTE)
    expect([types().length, subjects().length]).toEqual([3, 1])
  })

  test('leave out what the service tells in words of its own, and tell of checks without a sentence', async () => {
    const own = await world({ Notices: { AfterMinutes: 0 }, except: ['folder'] })
    own.red.set('folder:a', 'gone')
    await own.later(0)
    expect(own.types()).toEqual([])
    const told = await world({ Notices: { AfterMinutes: 0 } })
    told.red.set('folder:a', 'gone')
    await told.later(0)
    expect(told.subjects()).toEqual(['session-server: A check of the service is red'])
  })

  test('take mails that are enabled, and a secret with the address', () => {
    const problems = (Notices: object, Enabled: boolean) =>
      noticeRules.flatMap((rule) => rule({ Notices: { ...silent, ...Notices }, Email: { Enabled } }))
    expect(problems({}, false)).toEqual([])
    expect(problems({ Recipients: [TO] }, false)).toMatchObject([{ key: 'Notices:Recipients' }])
    expect(problems({ WebhookUrl: 'https://a.example' }, false)).toMatchObject([{ key: 'Notices:WebhookSecret' }])
  })

  test('have a row for every check that any service adds', () => {
    const names = checkNamesIn(['packages', 'services'])
    expect(names).toEqual(
      expect.arrayContaining([
        'database',
        'workers',
        'certificate',
        'signing-key',
        'provider',
        'mail-server',
        'cloud-hub',
      ]),
    )
    const rows = describeCauses()
    expect(names.filter((name) => !rows.includes(`| \`${name}\` |`))).toEqual([])
  })

  test('are told of the mail server, which does not gate, and no account is shown to it', async () => {
    const told = await world({ Notices: { AfterMinutes: 0 } })
    const check = async () => {
      told.clock.advance(3 * MINUTE)
      const { ready, checks } = await told.readiness.verdict()
      return [ready, checks.find(({ name }) => name === 'mail-server')?.ok]
    }
    expect(await check()).toEqual([true, true])
    await told.smtp.stop()
    expect(await check()).toEqual([true, false])
  })

  test('are listed in the documentation', () => {
    const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    expect(page).toContain(describeCauses())
  })
})
