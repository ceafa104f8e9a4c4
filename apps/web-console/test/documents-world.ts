import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageOptions, TestBrowser, WatchedPage } from '@chancela/testkit/browser'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { expect, onTestFinished } from 'vitest'
// From the service's own tests: the pages are tested against the real service.
import { startPlatform } from '../../../services/document-platform/test/test-support/platform-world.ts'
import { clock, running, trusting } from '../../../services/document-platform/test/test-support/signers.ts'
import { newUser } from '../../../services/document-platform/test/test-support/users.ts'
import { swapBundle } from './bundle-proxy.ts'

export type Page = WatchedPage['page']

export const [ANA, BRUNO, CARLA] = [demoHolders[0]!, demoHolders[1]!, demoHolders[2]!]

export const USER = { name: 'Marta Reis', email: 'marta@example.com', password: 'uma senha comprida' }

interface World {
  browser: TestBrowser
  /** Folder of the built bundle. */
  bundle: string
  /** What a test provokes on purpose on the console. */
  provoked: RegExp
  settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Other sites that a test leads to. */
  elsewhere?: readonly string[]
}

/** The real service with a user, and a browser. The test fails on any leak or unexpected error. */
export async function documentsWorld({ browser, bundle, provoked, settings = {}, elsewhere = [] }: World) {
  const platform = await startPlatform('SQLite', { settings: { ...trusting(), ...settings }, clock })
  const { origin, stop } = await swapBundle(bundle, platform.baseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'chancela-pages-'))
  const opened: WatchedPage[] = []
  onTestFinished(async () => {
    for (const { page } of opened) await page.context().close()
    await stop()
    await rm(folder, { recursive: true })
    for (const { errors, policyViolations, requests } of opened) {
      expect(errors.filter((error) => !provoked.test(error))).toEqual([])
      expect(policyViolations).toEqual([])
      const allowed = [`${origin}/`, 'blob:', ...elsewhere]
      expect(requests.filter((address) => !allowed.some((start) => address.startsWith(start)))).toEqual([])
    }
  })
  await newUser(platform, USER)
  return {
    platform,
    origin,
    file: async (name: string, content: Uint8Array) => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    },
    /** The PKCS#12 of a holder, as a file. */
    keyFile: async ({ label, pin }: { label: string; pin: string }) => {
      const path = join(folder, `${label}.p12`)
      await writeFile(path, running.pki.pkcs12(running.pki.certificate(label), { password: pin }))
      return path
    },
    /** A visitor in a browser context of its own. */
    visit: async (path: string, options: PageOptions = {}): Promise<Page> => {
      const watched = await browser.newPage(options)
      opened.push(watched)
      await watched.page.goto(`${origin}${path}`)
      return watched.page
    },
  }
}

/** Signs the world's user in. */
export const signIn = (page: Page): Promise<void> => signInAs(page, USER.email)

/** Signs somebody in who has the same password. */
export async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page
    .getByLabel(/^(Password|Senha)/)
    .first()
    .fill(USER.password)
  await page.getByRole('button', { name: /^(Sign in|Entrar)$/ }).click()
}
