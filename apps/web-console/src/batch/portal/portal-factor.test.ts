// The second factor of approvers on their pages: setting an app up, the prompt, wrong codes and the time after them.
import { testClock } from '@chancela/testkit/clock'
import { codeOf } from '@chancela/testkit/console'
import { expect, test } from 'vitest'
import { SEED_SECRET } from '../../../../../services/batch-signer/test/test-support/approvers.ts'
import { ana, expectUsable, portalPages } from '../../../test/portal-world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const portal = portalPages()

const words = {
  'en-US': {
    begin: 'Set up the app',
    code: 'Code of the app',
    confirm: 'Confirm the code',
    enrolled: 'The authenticator app is set up.',
    until: 'you decide without another code.',
    wrong: 'The code is wrong, or was used before.',
    locked: 'Too many wrong codes in a row.',
    approve: 'Approve…',
    confirmOne: 'Approve the file',
    done: 'The file is approved.',
    close: 'Close',
    one: (name: string) => `Select ${name}`,
  },
  'pt-BR': {
    begin: 'Cadastrar o aplicativo',
    code: 'Código do aplicativo',
    confirm: 'Confirmar o código',
    enrolled: 'O aplicativo autenticador está cadastrado.',
    until: 'você decide sem outro código.',
    wrong: 'O código está errado ou já foi usado.',
    locked: 'Códigos errados demais em seguida.',
    approve: 'Aprovar…',
    confirmOne: 'Aprovar o arquivo',
    done: 'O arquivo está aprovado.',
    close: 'Fechar',
    one: (name: string) => `Selecionar ${name}`,
  },
} as const

/** A code that is not the right one, nor those beside it. */
const wrongCode = (secret: string, now: Date): string => {
  const near = [-1, 0, 1].map((steps) => codeOf(secret, new Date(now.getTime() + steps * 30 * SECOND)))
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code))!
}

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)('at %d pixels in %s an app is set up, and its codes come before a decision', async (width, locale) => {
  const say = words[locale]
  const clock = testClock(new Date().toISOString())
  const ApproverSecondFactor = { Enabled: true, SeedSecret: SEED_SECRET, Issuer: 'Casa' }
  const { come, park } = await portal({
    clock,
    settings: { ApproverSecondFactor, ApproverPortal: { PollInterval: '00:00:01' } },
  })
  await park('um.txt', 'One.', 'contracts')
  await park('dois.txt', 'Two.', 'contracts')
  const page = await come(ana, { width, locale })
  const give = async (code: string) => {
    await page.getByLabel(say.code).fill(code)
    await page.getByRole('button', { name: say.confirm }).click()
    // Forgotten as soon as it was given.
    await expect.poll(() => page.getByLabel(say.code).inputValue()).toBe('')
  }
  await page.getByRole('button', { name: say.begin }).click()
  const secret = (await page.locator('code[translate=no]').textContent())!.replaceAll(' ', '')
  await expectUsable(page)
  await give(wrongCode(secret, clock()))
  await page.getByText(say.wrong).waitFor()
  await page.getByLabel(say.code).fill(codeOf(secret, clock()))
  await page.getByRole('button', { name: say.confirm }).click()
  await page.getByText(say.enrolled).first().waitFor()
  await page.getByText(say.until).waitFor()

  // The code that set the app up opens a window, too: no other is asked for.
  await page.getByLabel(say.one('um.txt')).check()
  await page.getByRole('toolbar').getByRole('button', { name: say.approve }).click()
  await page.getByRole('button', { name: say.confirmOne }).click()
  await page.getByRole('dialog').getByText(say.done).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: say.close }).last().click()

  clock.advance(21 * MINUTE)
  await page.clock.setFixedTime(clock())
  await page.getByLabel(say.one('dois.txt')).check()
  await page.getByRole('toolbar').getByRole('button', { name: say.approve }).click()
  await page.getByLabel(say.code).waitFor()
  await expectUsable(page)
  for (let at = 0; at < 5; at += 1) {
    await give(wrongCode(secret, clock()))
    await page
      .getByText(at < 4 ? say.wrong : say.locked)
      .first()
      .waitFor()
  }
  await give(codeOf(secret, clock()))
  await page.getByText(say.locked).waitFor()
  clock.advance(6 * MINUTE)
  await page.clock.setFixedTime(clock())
  await page.getByLabel(say.code).fill(codeOf(secret, clock()))
  await page.getByRole('button', { name: say.confirm }).click()
  await page.getByRole('button', { name: say.confirmOne }).click()
  await page.getByRole('dialog').getByText(say.done).waitFor()
})
