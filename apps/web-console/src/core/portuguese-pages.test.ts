import { expect, test } from 'vitest'
import { startCore } from '../../../../services/pki-core/test/test-support/core-world.ts'
import { authenticate, failedCall } from '../../../../services/pki-core/test/test-support/management.ts'
import { roots } from '../../../../services/pki-core/test/test-support/pki.ts'
import { consolePages } from '../../test/console-pages.ts'
import { expectPortuguese } from '../../test/english.ts'

const { consoleOf } = consolePages('core')

test('no page of the PKI core has a word of English in it for a Brazilian but what a program said, as code', async () => {
  const world = await startCore('SQLite', { SecurityContexts: { TestAnchorsFile: roots } })
  await authenticate(world, 'revoked')
  expect((await failedCall(world)).status).toBe(500)
  const { enter, origin } = await consoleOf(world)
  const options = { locale: 'pt-BR', provoked: /40[14]/, elsewhere: [world.consoleUrl] } as const
  const { page } = await enter('/', options)
  const pages = ['/', '/subscriptions', '/applications', '/security-contexts', '/signature-sessions', '/bio-subjects']
  for (const path of [...pages, '/authentications', '/problems', '/administrators', '/events', '/account']) {
    await page.goto(`${origin}${path}`)
    await expectPortuguese(page, path)
  }
  await page.goto(`${origin}/problems`)
  await page.getByText('no such table').first().waitFor()
  await page.goto(`${world.consoleUrl}/nope`)
  await expectPortuguese(page, '/nope')
})
