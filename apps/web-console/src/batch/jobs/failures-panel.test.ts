import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { expect, test } from 'vitest'
import { axeFindings } from '../../../test/accessibility.ts'
import { batchPages } from '../../../test/batch-world.ts'

const signedIn = batchPages()

const words = {
  'en-US': {
    exists: 'Output already exists at',
    damaged: /^The signature could not be made\. .*PDF/,
    causes: 'Failures by cause',
    retryAll: 'Retry all 2',
    done: '2 queued again, 0 left alone.',
    completed: 'Completed',
  },
  'pt-BR': {
    exists: 'Já existe uma saída em',
    damaged: /^A assinatura não pôde ser feita\. .*PDF/,
    causes: 'Falhas por causa',
    retryAll: 'Reprocessar todos os 2',
    done: '2 na fila de novo, 0 deixados como estão.',
    completed: 'Concluído',
  },
} as const

test.each([
  [390, 'pt-BR'],
  [1280, 'en-US'],
  [390, 'en-US'],
  [1280, 'pt-BR'],
] as const)(
  'at %d pixels in %s an operator finds in the list why files failed, and retries all of one cause',
  async (width, locale) => {
    const say = words[locale]
    const { service, page } = await signedIn({ path: '/jobs', width, locale })
    const files = ['contrato.pdf', 'recibo.pdf']
    const strangers = files.map((name) => join(service.output, name.replace('.pdf', '.signed.pdf')))
    for (const path of strangers) await writeFile(path, 'of a stranger')
    for (const name of files) await writeFile(join(service.input(), name), samplePdf(name))
    await writeFile(join(service.input(), 'quebrado.pdf'), 'this is no PDF')

    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    for (const name of files) await row(name).getByText(say.exists).waitFor()
    await row('quebrado.pdf').getByText(say.damaged).waitFor()
    const causes = page.getByRole('region', { name: say.causes })
    const cause = causes.getByRole('listitem').filter({ hasText: say.exists })
    await cause.getByRole('button', { name: say.retryAll }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    for (const path of strangers) await rm(path)
    await cause.getByRole('button', { name: say.retryAll }).click()
    await page.getByText(say.done).first().waitFor()
    await expect
      .poll(async () => (await readdir(service.output)).toSorted())
      .toEqual(['contrato.signed.pdf', 'recibo.signed.pdf'])
    for (const name of files) await row(name).getByText(say.completed).first().waitFor()
    await cause.waitFor({ state: 'detached' })
    expect(await causes.getByRole('listitem').count()).toBe(1)
  },
)
