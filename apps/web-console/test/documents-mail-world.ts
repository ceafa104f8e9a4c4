import { type RunningSmtpServer, startSmtpServer } from '@chancela/testkit/mail'
import { expect, onTestFinished, vi } from 'vitest'
import { axeFindings, cutTables, namelessControls } from './accessibility.ts'
import { documentsWorld, type Page } from './documents-world.ts'

/** The pages' world with a mail server whose inbox can be read. */
export async function documentsMailWorld(world: Parameters<typeof documentsWorld>[0]) {
  const smtp = await startSmtpServer()
  onTestFinished(() => smtp.stop())
  const Email = { Enabled: true, Host: '127.0.0.1', Port: smtp.port, Security: 'None', From: 'documents@example.com' }
  return { ...(await documentsWorld({ ...world, settings: { Email, ...world.settings } })), smtp }
}

export type MailWorld = Awaited<ReturnType<typeof documentsMailWorld>>

/** The first match in the e-mails to an address, from the given one on. */
export const inMail = ({ inbox }: RunningSmtpServer, address: string, pattern: RegExp, from = 0): Promise<string> =>
  vi.waitUntil(
    () =>
      inbox
        .slice(from)
        .filter(({ envelope }) => envelope.to.includes(address))
        .flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])[0],
    { interval: 20 },
  )

/** The path of the link in an e-mail to this address. */
export async function linkFor({ smtp }: MailWorld, address: string, from = 0): Promise<string> {
  const { pathname, search } = new URL(await inMail(smtp, address, /(https?:\S+[?&]ticket=\S+)/, from))
  return pathname + search
}

/** A phone and a desk, each in one of the languages. */
export const windows = [
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const

export const shown = (width: number, locale: string) => ({ locale, viewport: { width, height: 900 } })

/** No horizontal scrolling, every control has a name, and axe finds nothing. */
export async function expectUsable(page: Page, what: string) {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  const { width } = page.viewportSize()!
  expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBeLessThanOrEqual(width)
  expect(await page.evaluate(cutTables), what).toBe(0)
  expect(await namelessControls(page), what).toEqual([])
  expect(await axeFindings(page), what).toEqual([])
}
