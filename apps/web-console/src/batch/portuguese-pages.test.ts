import { test } from 'vitest'
import { batchPages } from '../../test/batch-world.ts'
import { expectPortuguese } from '../../test/english.ts'

const enter = batchPages()

test('no page of the batch signer has a word of English in it for a Brazilian, whatever failed', async () => {
  // No disk has as much room.
  const settings = { Health: { MinFreeBytes: Number.MAX_SAFE_INTEGER } }
  const { page } = await enter({ path: '/system', width: 1280, locale: 'pt-BR', settings })
  await page.waitForURL('**/system')
  const { origin } = new URL(page.url())
  for (const path of ['/', '/jobs', '/folders', '/profiles', '/profiles/new', '/events', '/statistics', '/system']) {
    await page.goto(`${origin}${path}`)
    await expectPortuguese(page, path)
  }
  await page.goto(`${origin}/system`)
  const row = page.getByRole('row', { name: /disk/ })
  await row.getByText('Um disco está quase cheio').waitFor()
  await row.getByText('Detalhe técnico (em inglês)').click()
  await row.getByText(/free/).waitFor()
  for (const path of ['/nope', '/approvals/nope', '/dashboard']) {
    await page.goto(`${origin}${path}`)
    await expectPortuguese(page, path)
  }
})
