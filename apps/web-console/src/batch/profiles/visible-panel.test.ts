import { expect, test } from 'vitest'
import { axeFindings } from '../../../test/accessibility.ts'
import { batchPages } from '../../../test/batch-world.ts'

const signedIn = batchPages()

const words = {
  'en-US': {
    on: 'Visible signature',
    corner: 'Corner',
    lines: 'Lines',
    save: 'Save',
    saved: 'The profile default is saved.',
    preview: 'Preview of the signature on a page',
  },
  'pt-BR': {
    on: 'Assinatura visível',
    corner: 'Canto',
    lines: 'Linhas',
    save: 'Salvar',
    saved: 'O perfil default foi salvo.',
    preview: 'Prévia da assinatura em uma página',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
] as const)(
  'at %d pixels in %s a signature is made visible, previewed, and saved with its profile',
  async (width, locale) => {
    const say = words[locale]
    const { service, page } = await signedIn({ path: '/profiles/default', width, locale })
    await page.getByLabel(say.on).check({ force: true })
    const preview = page.getByRole('img', { name: say.preview })
    await preview.getByText('CPF ***.982.247-**').waitFor()
    await page.getByLabel(say.corner).selectOption('top-left')
    await page.getByLabel(say.lines).fill('Por {name}\n{colour}')
    await preview.getByText('Por Maria de Souza').waitFor()
    await page.getByRole('button', { name: say.save }).click()
    await page.getByText('There is no field {colour}').first().waitFor()
    await page.getByLabel(say.lines).fill('Por {name}\n{date}')
    await page.getByRole('button', { name: say.save }).click()
    await page.getByText(say.saved).first().waitFor()
    const { body } = await service.full.json('GET', '/dashboard/api/profiles/default')
    expect(body.visible).toMatchObject({ corner: 'top-left', lines: ['Por {name}', '{date}'], page: 'last' })
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  },
)
