// Two organizations that deal with the same people: every page shows what it would show if the other did not exist.
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { callerOf } from '@chancela/testkit/service-world'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  approver,
  createDocument,
  newOrganization,
  type PlatformWorld,
  signer,
  untilKnown,
} from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { documentsMailWorld, type MailWorld } from '../../test/documents-mail-world.ts'
import { ANA, BRUNO, type Page, signIn } from '../../test/documents-world.ts'

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(() => browser.close())

type Caller = Pick<PlatformWorld, 'json' | 'organization'>

/** What an organization calls the people whom both know by the same CPFs and addresses. */
interface Wording {
  readonly ana: string
  readonly bruno: string
}

const ours: Wording = { ana: 'Ana Maria Souza', bruno: 'Bruno Lima' }
const theirs: Wording = { ana: 'Aninha do Banco', bruno: 'Dr. B. Lima Neto' }

/** An organization's documents and users; the id of the document that waits for both people. */
async function day(caller: Caller, { ana, bruno }: Wording): Promise<string> {
  const people = [
    { name: ana, identifier: ANA.cpf, email: ANA.email },
    { name: bruno, identifier: BRUNO.cpf, email: BRUNO.email },
  ] as const
  await caller.json('POST', '/api/organizations/users', { name: ana, email: ANA.email })
  await caller.json('POST', '/api/folders', { name: 'Contratos' })
  await createDocument(caller, [signer({ name: bruno, identifier: BRUNO.cpf })], { name: 'proposta.pdf' })
  return createDocument(caller, [signer(people[0]), approver(people[1], { step: 2 })])
}

async function another({ platform }: MailWorld): Promise<Caller> {
  const organization = await newOrganization(platform.store, platform.clock(), 'Banco Alheio')
  await untilKnown(platform.baseUrl, organization.apiKey)
  return { ...callerOf(platform.baseUrl, { 'X-Api-Key': organization.apiKey }), organization }
}

/** The link in the mail that an organization's document led to. */
async function linkOf({ smtp }: MailWorld, name: string): Promise<string> {
  const mail = await vi.waitUntil(
    () =>
      smtp.inbox.find(
        ({ envelope, text }) => envelope.to.includes(ANA.email) && text.includes(name) && /\/sign\?/.test(text),
      ),
    { interval: 20 },
  )
  const { pathname, search } = new URL(/https?:\S+[?&]ticket=\S+/.exec(mail.text)![0])
  return pathname + search
}

async function textOf(page: Page, title: RegExp): Promise<string> {
  await page.getByRole('heading', { name: title }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  return comparable(await page.locator('body').innerText())
}

/** Keys, ids, times and ports differ between any two instances. */
const comparable = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\b[A-Z0-9]{4}(?:[ -]?[A-Z0-9]{4}){4}\b/g, '<key>')
    .replaceAll(/\d{1,2}:\d\d(:\d\d)?( [AP]M)?/g, '<time>')
    // The last use of a key is written every few seconds: a page may come before it.
    .replaceAll(/^(test\t.*<time>\t)(?:never|.*<time>)\t/gm, '$1<last use>\t')

/** Every page of an organization, of its participant and of a passer-by, beside others or alone. */
async function seen(isAlone: boolean): Promise<Readonly<Record<string, string>>> {
  const world = await documentsMailWorld({ browser, bundle, provoked: /4\d\d/ })
  const { platform } = world
  if (!isAlone) await day(await another(world), theirs)
  const id = await day(platform, ours)
  if (!isAlone) await day(await another(world), theirs)
  const { key } = (await platform.json('GET', `/api/documents/${id}`)).body as { key: string }
  const user = await world.visit('/documents')
  await signIn(user)
  const pages: Record<string, string> = { list: await textOf(user, /^Documents$/) }
  const visits = {
    document: `/documents/${id}`,
    organization: '/organization',
    webhooks: '/webhooks',
    account: '/account',
  }
  for (const [name, path] of Object.entries(visits)) {
    await user.goto(`${world.origin}${path}`)
    pages[name] = await textOf(user, /./)
  }
  const participant = await world.visit(await linkOf(world, platform.organization.name))
  // The text of the document comes after the page is drawn: until then the page has one line less.
  await participant.getByText('Contrato', { exact: true }).waitFor({ state: 'attached' })
  pages.participant = await textOf(participant, /./)
  pages.validation = await textOf(await world.visit(`/validate/${key}`), /./)
  return pages
}

test('each organization, its participants and whoever verifies its documents see what they would see alone', async () => {
  const [alone, beside] = [await seen(true), await seen(false)]
  expect(beside).toEqual(alone)
  // What is compared says something.
  expect(alone.list).toContain('proposta')
  for (const name of ['document', 'participant']) expect(alone[name]).toContain(ours.ana)
  expect(alone.organization).toContain(ANA.email)
  expect(Object.values(beside).join()).not.toMatch(/Alheio|Aninha|Neto/)
})
