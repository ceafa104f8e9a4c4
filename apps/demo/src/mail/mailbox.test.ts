import { randomBytes } from 'node:crypto'
import { createMailer, mailMigrations } from '@chancela/outbox/mail'
import { jobMigrations } from '@chancela/outbox/queue'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { createLogger } from '@chancela/service-kernel/http'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { startService } from '@chancela/service-kernel/service'
import { openBrowser } from '@chancela/testkit/browser'
import { testStores } from '@chancela/testkit/stores'
import { freePort, temporaryFolder } from '@chancela/testkit/tools'

import { expect, onTestFinished, test } from 'vitest'
import { homeService } from '../home/home-service.ts'
import { SuiteBoard } from '../home/suite-board.ts'

const mail = {
  kind: 'pending-action',
  to: { address: 'maria@example.com', name: 'Maria <b>da</b> Conceição' },
  subject: 'Assinatura pendente: <Contrato>',
  text: 'Olá, Maria. Abra https://sign.example/a',
  html: '<html><head><title>x</title></head><body><p style="color:#123456">Olá, <b>Maria</b>.</p><a href="/api/suite">Ler e assinar</a><script>document.title = "run"</script></body></html>',
}

test('what the suite sends is listed, the newest first', async () => {
  const home = await startHome()
  await send(home.smtpPort, { subject: 'Primeiro' }, { subject: 'Segundo' })
  const list = (await (await fetch(`${home.baseUrl}/api/mail`)).json()) as Record<string, unknown>[]
  expect(list).toMatchObject([
    { number: 2, subject: 'Segundo', to: ['maria@example.com'], from: 'demo@chancela.example' },
    { number: 1, subject: 'Primeiro', text: expect.stringContaining('https://sign.example/a') },
  ])
})

test('a mail that is not kept is not found', async () => {
  const home = await startHome()
  for (const path of ['/mail/1', '/mail/1/html']) expect((await fetch(home.baseUrl + path)).status).toBe(404)
})

test('a person reads a mail in the browser and follows its link; what the mail brings along cannot run', async () => {
  const home = await startHome()
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const { page, errors, outsideRequests } = await browser.newPage({ locale: 'pt-BR' })
  await page.goto(`${home.baseUrl}/mail`)
  await page.getByText('Ainda não chegou nada.').waitFor()
  await send(home.smtpPort, {})
  await page.getByRole('link', { name: mail.subject }).click()
  await page.getByText('Maria <b>da</b> Conceição <maria@example.com>').waitFor()
  const frame = page.frameLocator('iframe')
  expect(await frame.locator('p').evaluate((p) => getComputedStyle(p).color)).toBe('rgb(18, 52, 86)')
  const opened = page.waitForEvent('popup')
  await frame.getByRole('link', { name: 'Ler e assinar' }).click()
  expect((await opened).url()).toBe(`${home.baseUrl}/api/suite`)
  expect(outsideRequests()).toEqual([])
  expect(await frame.locator('title').textContent()).toBe('x')
  expect(errors.filter((error) => !error.includes('frame is sandboxed'))).toEqual([])
})

test('a busy port is told by its setting', async () => {
  const { smtpPort } = await startHome()
  await expect(startHome(smtpPort)).rejects.toThrow(
    `Port ${smtpPort} is already in use by another program. Change the setting home Mailbox:Port.`,
  )
})

/** The home page's service alone. */
async function startHome(smtpPort?: number) {
  const port = smtpPort ?? (await freePort())
  const definition = homeService(new SuiteBoard([], systemClock()))
  const { settings } = loadSettings({
    schemas: { home: definition.settings },
    environment: {
      CHANCELA__HOME__HTTP__PORT: '0',
      CHANCELA__HOME__LOG__LEVEL: 'silent',
      CHANCELA__HOME__MAILBOX__PORT: String(port),
    },
  })
  const service = await startService(definition, settings.home as KernelSettings, {
    clock: systemClock,
    version: '0.0.0',
    dataFolder: temporaryFolder(),
  })
  onTestFinished(() => service.stop())
  return { baseUrl: service.surfaces[0]!.baseUrl, smtpPort: port }
}

/** Sends a mail as a service does. */
async function send(port: number, ...mails: Partial<typeof mail>[]): Promise<void> {
  const store = await testStores.SQLite({ jobs: jobMigrations, mail: mailMigrations })
  const mailer = createMailer({
    store,
    clock: systemClock,
    secrets: openSecrets({ service: 'test', masterKeyFile: '', masterKey: randomBytes(32).toString('base64') }),
    logger: createLogger({ service: 'test', level: 'silent' }),
    dataFolder: '/',
    settings: {
      Enabled: true,
      Host: '127.0.0.1',
      Port: port,
      Security: 'None',
      From: 'demo@chancela.example',
      FromName: 'Chancela',
      MaxAttempts: 1,
      Connections: 1,
      TimeoutSeconds: 10,
    },
  })
  const all = mails.map((one) => ({ ...mail, ...one }))
  await store.transaction((tx) => mailer.enqueue(tx, all, systemClock()))
  mailer.start()
  await mailer.idle()
  await mailer.stop()
}
