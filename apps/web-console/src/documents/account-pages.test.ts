// One's own account: password, authenticator app, sessions, and the identity provider, with the real service.
import { openBrowser, type TestBrowser } from '@chancela/testkit/browser'
import { codeOf } from '@chancela/testkit/console'
import { builtPages } from '@chancela/testkit/pages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrganization } from '../../../../services/document-platform/test/test-support/platform-world.ts'
import { newUser } from '../../../../services/document-platform/test/test-support/users.ts'
import {
  client,
  reserveIdentityProvider,
} from '../../../../services/session-server/test/test-support/identity-provider.ts'
import {
  documentsMailWorld,
  expectUsable,
  linkFor,
  type MailWorld,
  shown,
  windows,
} from '../../test/documents-mail-world.ts'
import { type Page, signIn, signInAs, USER } from '../../test/documents-world.ts'
import { passThroughProvider } from '../../test/pass-through-provider.ts'

const HALF_MINUTE = 30_000

let bundle: string
let browser: TestBrowser
const provider = await reserveIdentityProvider()

beforeAll(async () => {
  bundle = await builtPages('documents')
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  await provider.close()
})

const open = (more: Partial<Parameters<typeof documentsMailWorld>[0]> = {}) =>
  documentsMailWorld({ browser, bundle, provoked: /4\d\d/, ...more })

/** What the page of the account shows in the given language. */
async function visitAccount(world: MailWorld, [width, locale]: readonly [number, string]): Promise<Page> {
  const page = await world.visit('/account', shown(width, locale))
  await signIn(page)
  await page.getByRole('heading', { name: /^(Your account|Sua conta)$/ }).waitFor()
  return page
}

const press = (within: Pick<Page, 'getByRole'>, name: RegExp) => within.getByRole('button', { name }).click()

/** Sets an app up in the dialog, from the proof to the recovery codes; the secret, and the codes. */
async function setUp(page: Page, { platform: { clock } }: MailWorld, { looks = false } = {}) {
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel(/^(Present password|Senha atual)/)
    .first()
    .fill(USER.password)
  await press(dialog, /^(Next|Continuar)$/)
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  if (looks) await expectUsable(page, 'secret')
  await dialog.getByLabel(/^(Code|Código)/).fill(codeOf(secret, clock()))
  clock.advance(HALF_MINUTE)
  await press(dialog, /^(Confirm|Confirmar)$/)
  await dialog.getByRole('heading', { name: /recovery codes|códigos de recuperação/ }).waitFor()
  if (looks) await expectUsable(page, 'recovery codes')
  const codes = await dialog.getByRole('listitem').allInnerTexts()
  await press(dialog, /saved them|Já guardei/)
  return { secret, codes }
}

test('the password is changed by whoever knows it', async () => {
  const world = await open()
  const page = await visitAccount(world, windows[0])
  const change = async (present: string, next: string, again = next) => {
    await page
      .getByLabel(/^(Present password|Senha atual)/)
      .first()
      .fill(present)
    await page
      .getByLabel(/^(Choose a password|Escolha uma senha)/)
      .first()
      .fill(next)
    await page.getByLabel(/^(The same password again|A mesma senha de novo)/).fill(again)
    await press(page, /^(Change the password|Trocar a senha)$/)
  }
  await change(USER.password, 'outra senha comprida', 'uma terceira senha')
  await page.getByText(/differ|diferentes/).waitFor()
  await change('não é esta', 'outra senha comprida')
  await page.getByText('PasswordWrong').waitFor()
  await expectUsable(page, 'wrong password')
  await change(USER.password, 'outra senha comprida')
  await page
    .getByText(/The password was changed|A senha foi trocada/)
    .first()
    .waitFor()
  // The session that changed it goes on.
  await page.reload()
  await page.getByRole('heading', { name: /^(Your account|Sua conta)$/ }).waitFor()
})

test.each(windows)('an authenticator app is set up, asked for, and removed (%d px)', async (...window) => {
  const world = await open()
  const page = await visitAccount(world, window)
  await press(page, /^(Set up an app|Configurar um aplicativo)$/)
  const { secret, codes } = await setUp(page, world, { looks: true })
  await page.getByText(/^(Set up|Configurado)$/).waitFor()
  expect(codes.length).toBeGreaterThan(5)

  const other = await world.visit('/account', shown(...window))
  await signIn(other)
  await other.getByLabel(/authenticator app|aplicativo autenticador/).fill(codes[0]!)
  await press(other, /^(Sign in|Entrar)$/)
  await other.getByRole('heading', { name: /^(Your account|Sua conta)$/ }).waitFor()

  await press(page, /^(New recovery codes|Novos códigos de recuperação)$/)
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel(/^(Present password|Senha atual)/)
    .first()
    .fill(USER.password)
  await dialog.getByLabel(/authenticator app|aplicativo autenticador/).fill(codeOf(secret, world.platform.clock()))
  world.platform.clock.advance(HALF_MINUTE)
  await press(dialog, /^(Make new codes|Gerar novos códigos)$/)
  await dialog.getByRole('listitem').first().waitFor()
  const renewed = await dialog.getByRole('listitem').allInnerTexts()
  expect(renewed.filter((code) => codes.includes(code))).toEqual([])
  await press(dialog, /saved them|Já guardei/)

  await press(page, /^(Remove the app|Remover o aplicativo)$/)
  await dialog
    .getByLabel(/^(Present password|Senha atual)/)
    .first()
    .fill(USER.password)
  await dialog.getByLabel(/authenticator app|aplicativo autenticador/).fill(codes[1]!)
  await press(dialog, /^(Remove|Remover)$/)
  await dialog.getByText('SecondFactorWrong').waitFor()
  await dialog.getByLabel(/authenticator app|aplicativo autenticador/).fill(renewed[0]!)
  await press(dialog, /^(Remove|Remover)$/)
  await page.getByRole('button', { name: /^(Set up an app|Configurar um aplicativo)$/ }).waitFor()
  await expectUsable(page, 'account')
})

test('where the organization asks for a second factor, the account is the only page before it is set up', async () => {
  const world = await open()
  const { id } = world.platform.organization
  const administering = await world.visit('/organization')
  await signIn(administering)
  await administering.getByLabel('Users need an authenticator app').check()
  await administering.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Save' }).click()
  await administering.getByText('The organization was changed.').first().waitFor()
  const { body } = await world.platform.json('GET', `/api/organizations/${id}`)
  expect(body.requireSecondFactor).toBe(true)
  const page = await world.visit('/documents')
  await signIn(page)
  await page.getByText('nothing else works before').waitFor()
  await page.goto(`${world.origin}/documents`)
  await page.getByText('nothing else works before').waitFor()
  await expectUsable(page, 'must enrol')
  await press(page, /^Set up an app$/)
  await setUp(page, world)
  await page.getByRole('link', { name: 'Documents', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
})

test('sessions are listed, and ended one by one or all at once', async () => {
  const world = await open()
  const page = await visitAccount(world, windows[1])
  const others = await Promise.all([1, 2, 3].map(() => visitAccount(world, windows[1])))
  await page.reload()
  const table = page.getByRole('table', { name: /signed in|conectado/ })
  const ends = table.getByRole('button', { name: /^(End the session|Encerrar a sessão)/ })
  await ends.nth(2).waitFor()
  await expectUsable(page, 'sessions')
  await ends.first().click()
  await ends.nth(2).waitFor({ state: 'detached' })
  await press(page, /^(End all others|Encerrar todas as outras)$/)
  await ends.first().waitFor({ state: 'detached' })
  for (const other of others) {
    await other.reload()
    await other.getByRole('button', { name: /^(Sign in|Entrar)$/ }).waitFor()
  }
})

test('an invitation to an account with an authenticator app asks for its code', async () => {
  const world = await open()
  const page = await visitAccount(world, windows[1])
  await press(page, /^Set up an app$/)
  const { secret } = await setUp(page, world)
  const { platform } = world
  const organization = await newOrganization(platform.store, platform.clock(), 'Clínica Vida')
  const owner = await newUser({ ...platform, organization }, { name: 'Rui Alves' })
  const inviting = await world.visit('/organization')
  await signInAs(inviting, owner.email)
  await press(inviting, /^Add user$/)
  const dialog = inviting.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Marta R.')
  await dialog.getByLabel(/^E-mail/).fill(USER.email)
  await press(dialog, /invite/)
  const guest = await world.visit(await linkFor(world, USER.email))
  await guest.getByLabel('Enter your password').fill(USER.password)
  await press(guest, /^Accept the invitation$/)
  await guest.getByLabel('Code of the authenticator app').fill(codeOf(secret, platform.clock()))
  await press(guest, /^Accept the invitation$/)
  await guest.getByText('Signed in as Marta R.').waitFor()
})

test('a user signs in at the identity provider, has no password here, and can ask for one', async () => {
  const Oidc = {
    Enabled: true,
    Title: 'Hospital',
    Issuer: provider.issuer,
    ClientId: client.id,
    ClientSecret: client.secret,
  }
  const world = await open({
    settings: { Oidc },
    // The provider's own pages load a font from another site and an icon that does not exist.
    provoked: /4\d\d|font|ERR_/,
    elsewhere: [provider.issuer, 'https://fonts.googleapis.com'],
  })
  provider.open({
    accounts: {
      rui: { email: 'rui@example.com', email_verified: true, name: 'Rui do Provedor' },
      eva: { email: 'eva@example.com', email_verified: true },
    },
    redirectUris: [`${world.origin}/oidc/callback`],
  })
  await world.platform.json('POST', '/api/organizations/users', { name: 'Rui Alves', email: 'rui@example.com' })
  const passThrough = async (login: string) => {
    const page = await world.visit('/login')
    await passThroughProvider(page, login)
    return page
  }
  const eva = await passThrough('eva')
  await eva.getByRole('alert').getByText('did not name a user of an organization here').waitFor()
  await expectUsable(eva, 'refused by the provider')
  const rui = await passThrough('rui')
  await rui.getByText('Signed in as Rui Alves').waitFor()
  await rui.getByRole('link', { name: 'Your account' }).click()
  await rui.getByText('have no password here').waitFor()
  expect(await rui.getByRole('button', { name: 'Set up an app' }).count()).toBe(0)
  const before = world.smtp.inbox.length
  await press(rui, /^Send me a link to choose one$/)
  expect(await linkFor(world, 'rui@example.com', before)).toMatch(/^\/reset-password\?/)
  await expectUsable(rui, 'account of the provider')
})

const TEN_MINUTES = 600_000

test.each(windows)('a key is made only by whoever proves again who they are (%d px)', async (...window) => {
  const world = await open()
  const page = await world.visit('/organization', shown(...window))
  await signIn(page)
  const add = async () => {
    await press(page, /^(New application|Nova aplicação)$/)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^(Name|Nome)/).fill('ERP')
    await press(dialog, /^(Create|Criar)$/)
  }
  await page.getByRole('button', { name: /^(New application|Nova aplicação)$/ }).waitFor()
  world.platform.clock.advance(TEN_MINUTES)
  await add()
  const proof = page.getByRole('dialog', { name: /^(Is it you\?|É você\?)$/ })
  const give = async (password: string) => {
    await proof.getByRole('textbox', { name: /^(Password|Senha)/ }).fill(password)
    await press(proof, /^(Continue|Continuar)$/)
  }
  await give('não é esta')
  await proof.getByText('PasswordWrong').waitFor()
  await expectUsable(page, 'asked again')
  await give(USER.password)
  await page.getByText(/^ERP\|/).waitFor()
})

test('who signed in at the identity provider proves it there, and comes back', async () => {
  const Oidc = {
    Enabled: true,
    Title: 'Hospital',
    Issuer: provider.issuer,
    ClientId: client.id,
    ClientSecret: client.secret,
  }
  const world = await open({
    settings: { Oidc },
    provoked: /4\d\d|font|ERR_/,
    elsewhere: [provider.issuer, 'https://fonts.googleapis.com'],
  })
  provider.open({
    accounts: { marta: { email: USER.email, email_verified: true, name: USER.name } },
    redirectUris: [`${world.origin}/oidc/callback`],
  })
  const page = await world.visit('/login')
  await passThroughProvider(page, 'marta')
  await page.getByRole('link', { name: 'Organization' }).click()
  await press(page, /^New application$/)
  await page.getByRole('dialog').getByLabel('Name').fill('ERP')
  await press(page.getByRole('dialog'), /^Create$/)
  const proof = page.getByRole('dialog', { name: 'Is it you?' })
  await proof.getByText('The identity provider asks you again').waitFor()
  await press(proof, /^Sign in again$/)
  await page.locator('input[name=login]').fill('marta')
  await page.locator('input[name=password]').fill('whatever')
  // The provider was told already that the service may learn who it is.
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'New application' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/organization')
  await press(page, /^New application$/)
  await page.getByRole('dialog').getByLabel('Name').fill('ERP')
  await press(page.getByRole('dialog'), /^Create$/)
  await page.getByText(/^ERP\|/).waitFor()
})
