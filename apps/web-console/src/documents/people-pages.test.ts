// Invitations, rights and codes, on a phone and on a desk, with the real service and real e-mail.
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { builtPages } from '@chancela/testkit/pages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approver,
  createDocument,
  newOrganization,
  type PlatformWorld,
  signer,
  ticketOf,
} from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { newUser, PASSWORD, signedIn } from '../../../../services/document-platform/test/test-support/users.ts'
import {
  documentsMailWorld,
  expectUsable,
  inMail,
  linkFor,
  type MailWorld,
  shown,
  windows,
} from '../../test/documents-mail-world.ts'
import { ANA, BRUNO, type Page, signIn, signInAs, USER } from '../../test/documents-world.ts'

let bundle: string
let browser: TestBrowser

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(() => browser.close())

const open = (provoked = /401/) => documentsMailWorld({ browser, bundle, provoked })

const asUser = (person: { name: string; cpf: string; email: string }) => ({
  name: person.name,
  identifier: person.cpf,
  email: person.email,
})

test.each(windows)(
  'a link that came by e-mail alone neither approves nor refuses: a code does (%d px)',
  async (width, locale) => {
    const world = await open(/422/)
    const flow = [approver(asUser(ANA)), signer(asUser(BRUNO))]
    const id = await createDocument(world.platform, flow)

    const approval = await world.visit(await linkFor(world, ANA.email), shown(width, locale))
    const approve = approval.getByRole('button', { name: /^(Approve|Aprovar)$/ })
    await approve.waitFor()
    expect(await approve.isDisabled()).toBe(true)
    await fillCode(approval, world, ANA.email)
    await approve.click()
    await approval.getByRole('heading', { name: /You approved|Você aprovou/ }).waitFor()

    const page = await world.visit(await linkFor(world, BRUNO.email), shown(width, locale))
    await page.getByRole('button', { name: /^(Refuse|Recusar)$/ }).click()
    const dialog = page.getByRole('dialog')
    const refuse = dialog.getByRole('button', { name: /^(Refuse|Recusar)$/ })
    await dialog.getByLabel(/^(Reason|Motivo)/).fill('Falta o anexo')
    expect(await refuse.isDisabled()).toBe(true)
    const code = await fillCode(page, world, BRUNO.email)
    await expectUsable(page, 'refusal')
    await dialog.getByLabel(/^(Code|Código)$/).fill(code === '000000' ? '111111' : '000000')
    await refuse.click()
    await dialog.getByRole('alert').getByText('AuthenticationCodeInvalidOrExpired').waitFor()
    await dialog.getByLabel(/^(Code|Código)$/).fill(code)
    await refuse.click()
    await page.getByRole('heading', { name: /You refused|Você recusou/ }).waitFor()
    const { body } = await world.platform.json('GET', `/api/documents/${id}`)
    expect(body).toMatchObject({ status: 'Refused', statusUpdateReason: 'Falta o anexo' })
  },
)

test('a link that the organization asked for refuses without a code, and the history tells for whom', async () => {
  // Content of refused documents is withheld by default, so the page of the document cannot show it.
  const world = await open(/401|422/)
  const id = await createDocument(world.platform, [approver(asUser(ANA)), signer(asUser(BRUNO))])
  const page = await visitAction(world, id, BRUNO.cpf)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Prazo: curto')
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Send me the code' }).count()).toBe(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('heading', { name: 'You refused the document' }).waitFor()

  const history = await world.visit(`/documents/${id}`)
  await signIn(history)
  const { application } = world.platform.organization
  await history.getByText(`of ${BRUNO.name} given to ${application}`).waitFor()
  await history.getByText(`by ${application} for ${BRUNO.name}`).waitFor()
  await history.getByText('Prazo: curto', { exact: true }).waitFor()
})

test.each(windows)(
  'links are revoked on the page of the document, of one participant or of all (%d px)',
  async (...window) => {
    const world = await open(/4\d\d/)
    const id = await createDocument(world.platform, [approver(asUser(ANA)), approver(asUser(BRUNO))])
    const urlOf = async (identifier: string) => {
      const { body } = await world.platform.json('POST', `/api/documents/${id}/action-url`, { identifier })
      const { pathname, search } = new URL(body.url)
      return pathname + search
    }
    const isOpen = async (url: string) => {
      const [, key, ticket] = /key\/([^/]+)\/sign\?(.*)$/.exec(url)!
      return (await world.platform.json('GET', `/api/documents/keys/${key}/action?${ticket}`)).status === 200
    }
    const [anas, brunos] = [await urlOf(ANA.cpf), await urlOf(BRUNO.cpf)]
    const page = await world.visit(`/documents/${id}`, shown(...window))
    await signIn(page)
    const revoke = async (button: string | RegExp) => {
      await page.getByRole('button', { name: button }).click()
      const dialog = page.getByRole('dialog')
      await expectUsable(page, 'revoke links')
      await dialog.getByRole('button', { name: /^(Revoke|Revogar)$/ }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await revoke(new RegExp(`(links of|links de) ${ANA.name}`))
    expect([await isOpen(anas), await isOpen(brunos)]).toEqual([false, true])
    await revoke(/^(Revoke links|Revogar links)$/)
    expect(await isOpen(brunos)).toBe(false)
    await page.reload()
    await page.getByText(new RegExp(`(of|de) ${ANA.name} (by|por) ${USER.name}`)).waitFor()
    const gone = await world.visit(anas, shown(...window))
    await gone
      .getByText(/link has expired|link expirou/i)
      .first()
      .waitFor()
    await expectUsable(gone, 'a revoked link')
  },
)

test('who has no CPF begins with the code by e-mail, not with a certificate', async () => {
  const world = await open()
  const email = 'rita@example.com'
  await createDocument(world.platform, [signer({ name: 'Rita Sá', email }, { allowElectronicSignature: true })])
  const page = await world.visit(await linkFor(world, email))
  await page.getByRole('button', { name: 'Send me the code' }).waitFor()
  expect(await page.getByLabel('Certificate file').count()).toBe(0)
  await page.getByText('Certificate in a file').click()
  await page.getByLabel('Certificate file').waitFor()
})

test.each(windows)(
  'a user is invited, is invited again, chooses a password and works with the rights of the role (%d px)',
  async (width, locale) => {
    const world = await open(/401|422/)
    const options = shown(width, locale)
    const page = await world.visit('/organization', options)
    await signIn(page)
    await page.getByRole('button', { name: /^(Add user|Adicionar usuário)$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^(Name|Nome)/).fill('Rui Alves')
    await dialog.getByLabel(/^E-mail/).fill('rui@example.com')
    expect(await dialog.locator('input[type=password]').count()).toBe(0)
    await dialog.getByRole('button', { name: /invite|convidar/ }).click()
    await linkFor(world, 'rui@example.com')

    const row = page.getByRole('row').filter({ hasText: 'Rui Alves' })
    await row.getByText(/^(Invited|Convidado)$/).waitFor()
    await expectUsable(page, 'organization')
    const before = world.smtp.inbox.length
    await row.getByRole('button', { name: /^(Send again|Enviar de novo)/ }).click()
    const link = await linkFor(world, 'rui@example.com', before)

    const guest = await world.visit(link, options)
    await guest.getByText(world.platform.organization.name).waitFor()
    await expectUsable(guest, 'invitation')
    await choosePassword(guest, 'curta', 'curta')
    await guest.getByText(/fewer than 10|menos de 10/).waitFor()
    await choosePassword(guest, PASSWORD, 'uma senha diferente')
    await guest.getByText(/differ|diferentes/).waitFor()
    await expectUsable(guest, 'invitation faults')
    await choosePassword(guest, PASSWORD, PASSWORD)
    await guest.getByRole('heading', { name: /^(Documents|Documentos)$/ }).waitFor()
    await guest
      .getByRole('link', { name: /^(New document|Novo documento)$/ })
      .first()
      .waitFor({ state: 'attached' })
    expect(await guest.locator('a[href="/webhooks"]').count()).toBe(0)

    await page.reload()
    await row.getByText(/^(Signs in|Tem acesso)$/).waitFor()
    expect(await row.getByRole('button', { name: /^(Send again|Enviar de novo)/ }).count()).toBe(0)

    const late = await world.visit(link, options)
    await late.getByRole('heading', { name: /can no longer be used|não pode mais ser usado/ }).waitFor()
    await expectUsable(late, 'invitation over')
    await late.getByRole('link', { name: /^(Sign in|Entrar)$/ }).click()
    await signInAs(late, 'rui@example.com')
    await late.getByRole('heading', { name: /^(Documents|Documentos)$/ }).waitFor()
  },
)

test('an address that signs in already accepts with its own password', async () => {
  const world = await open(/401/)
  const { platform } = world
  const organization = await newOrganization(platform.store, platform.clock(), 'Clínica Vida')
  await newUser({ ...platform, organization }, { name: 'Rui Alves', email: 'rui@example.com' })
  const user = { name: 'Rui A.', email: 'rui@example.com' }
  await platform.json('POST', '/api/organizations/users', user)
  const guest = await world.visit(await linkFor(world, user.email))
  await guest.getByText('This address signs in here already').waitFor()
  await guest.getByLabel('Enter your password').fill('uma senha errada')
  await guest.getByRole('button', { name: 'Accept the invitation' }).click()
  await guest.getByRole('alert').getByText('InvalidCredentials').waitFor()
  await guest.getByLabel('Enter your password').fill(PASSWORD)
  await guest.getByRole('button', { name: 'Accept the invitation' }).click()
  await guest.getByText('Signed in as Rui A.').waitFor()
})

test.each(windows)('the table of rights says in words what each role may do (%d px)', async (width, locale) => {
  const world = await open()
  const page = await world.visit('/organization', shown(width, locale))
  await signIn(page)
  const table = page.getByRole('table', { name: /^(Who may do what|Quem pode o quê)$/ })
  await table.getByRole('rowheader').first().waitFor()
  const { body } = await world.platform.json('GET', '/api/rights')
  expect(await table.getByRole('rowheader').count()).toBe(body.length)
  // An operation without a text is shown as code.
  expect(await table.locator('code').count()).toBe(0)
  const words = {
    all: /^(Yes|Sim)$/,
    involved: /^(If involved|Se envolvido)$/,
    own: /^(Own only|Só o próprio)$/,
    none: /^(No|Não)$/,
  }
  for (const [index, { reaches }] of body.entries()) {
    const cells = table
      .getByRole('row')
      .nth(index + 1)
      .getByRole('cell')
    const reached = Object.values(reaches) as (keyof typeof words)[]
    for (const [at, text] of (await cells.allTextContents()).entries()) expect(text).toMatch(words[reached[at]!])
    expect(await cells.count()).toBe(reached.length)
  }
})

const roles = {
  administrator: { administrator: true, manager: false, operator: false },
  manager: { administrator: false, manager: true, operator: false },
  operator: { administrator: false, manager: false, operator: true },
  basic: { administrator: false, manager: false, operator: false },
}

/** What each role is offered on a document of the organization that involves it, and around it. */
const offered = {
  administrator: [
    'New document',
    'Webhooks',
    'Users',
    'Add user',
    'New application',
    'Link',
    'Remind',
    'Cancel',
    'Move',
  ],
  manager: ['New document', 'Users', 'Remind', 'Cancel', 'Move'],
  operator: ['New document'],
  basic: [],
} as const

test.each(Object.keys(roles) as (keyof typeof roles)[])(
  'a user with the role %s is offered what it allows',
  async (role) => {
    const world = await open()
    const { id: userId, email } = await newUser(world.platform, { name: 'Rui Alves', accessProfile: roles[role] })
    const flow = [signer(asUser(ANA)), signer(asUser(BRUNO))]
    await createDocument(world.platform, flow, { observers: [{ user: { id: userId } }] })
    const page = await world.visit('/documents')
    await signInAs(page, email)
    await page.getByRole('link', { name: 'contrato.pdf' }).waitFor()
    const has = async (found: ReturnType<Page['getByRole']>) => (await found.count()) > 0
    const seen: Record<string, boolean> = {}
    seen['New document'] = await has(page.getByRole('link', { name: 'New document' }))
    seen.Webhooks = await has(page.getByRole('link', { name: 'Webhooks' }))
    expect(await has(page.getByRole('button', { name: 'New folder' }))).toBe(role !== 'basic')

    await page.getByRole('link', { name: 'contrato.pdf' }).click()
    await page.getByRole('heading', { name: 'contrato.pdf', level: 1 }).waitFor()
    seen.Link = await has(page.getByRole('button', { name: /^Get the action link/ }))
    seen.Remind = await has(page.getByRole('button', { name: /^Remind/ }))
    seen.Cancel = await has(page.getByRole('button', { name: 'Cancel document' }))
    seen.Move = await has(page.getByRole('button', { name: 'Move', exact: true }))
    for (const name of ['New version', 'Delete', 'Add participant'])
      expect(await has(page.getByRole('button', { name, exact: true })), name).toBe(seen.Cancel)
    // Other roles are offered less of the same page.
    if (role === 'administrator') await expectUsable(page, 'document')

    await page.getByRole('link', { name: 'Organization' }).click()
    await page.getByRole('table', { name: 'Who may do what' }).waitFor()
    seen.Users = await has(page.getByRole('table', { name: 'Users' }))
    seen['Add user'] = await has(page.getByRole('button', { name: 'Add user' }))
    seen['New application'] = await has(page.getByRole('button', { name: 'New application' }))
    expect(
      Object.keys(seen)
        .filter((name) => seen[name])
        .sort(),
    ).toEqual([...offered[role]].sort())

    // The page can still be opened by its address.
    await page.goto(`${world.origin}/documents/new`)
    if (role === 'basic') await page.getByText('Your role does not allow this').waitFor()
    else await page.getByRole('button', { name: 'Send for signature' }).waitFor()
  },
)

test('an operator changes the documents the operator created', async () => {
  const world = await open()
  const { call, email } = await signedIn(world.platform, { name: 'Rui Alves', accessProfile: roles.operator })
  const id = await createDocument({ json: call as unknown as PlatformWorld['json'] }, [signer(asUser(ANA))])
  const page = await world.visit(`/documents/${id}`)
  await signInAs(page, email)
  await page.getByRole('button', { name: `Remind ${ANA.name}` }).waitFor()
  expect(await page.getByRole('button', { name: /^Get the action link/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Cancel document' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('duplicado')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel document' }).click()
  await page.getByText('Reason given by Rui Alves: duplicado').waitFor()
})

test('a page for a dead link, a wrong code and an unknown document has a heading', async () => {
  const world = await open(/401|422/)
  const id = await createDocument(world.platform, [signer(asUser(ANA))])
  const { key } = await ticketOf(world.platform, id, ANA.cpf)
  const page = await world.visit('/documents')
  await signIn(page)
  await page.getByRole('link', { name: 'contrato.pdf' }).waitFor()
  for (const path of [
    `/document/key/${key}/sign?ticket=x`,
    '/validate/ABCDEFGHJKLMNPQR',
    `/documents/${crypto.randomUUID()}`,
    '/cloud-elsewhere',
    '/invitation',
  ]) {
    await page.goto(`${world.origin}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectUsable(page, path.split('/')[1]!)
  }
})

/** Opens the page of an action through an address that the application asked for. */
async function visitAction(world: MailWorld, id: string, cpf: string): Promise<Page> {
  const { pathname, search } = new URL((await ticketOf(world.platform, id, cpf)).url)
  return world.visit(pathname + search)
}

/** Asks for a code and types it. */
async function fillCode(page: Page, { smtp }: MailWorld, address: string): Promise<string> {
  const before = smtp.inbox.length
  const dialog = page.getByRole('dialog')
  const place = (await dialog.count()) > 0 ? dialog : page
  await place.getByRole('button', { name: /^(Send me the code|Enviar o código)$/ }).click()
  await place.getByText(/The code was sent to|O código foi enviado para/).waitFor()
  const code = await inMail(smtp, address, /\b(\d{6})\b/, before)
  await place.getByLabel(/^(Code|Código)$/).fill(code)
  return code
}

async function choosePassword(page: Page, password: string, again: string) {
  await page
    .getByLabel(/^(Choose a password|Escolha uma senha)/)
    .first()
    .fill(password)
  await page
    .getByLabel(/^(The same password again|A mesma senha de novo)/)
    .first()
    .fill(again)
  await page.getByRole('button', { name: /^(Accept the invitation|Aceitar o convite)$/ }).click()
}
