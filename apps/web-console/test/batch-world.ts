// The real batch signer with a real key, and an operator who has signed in.
import { onTestFinished } from 'vitest'
import {
  API_KEY,
  type ServiceOptions,
  startBatchSigner,
} from '../../../services/batch-signer/test/test-support/running-service.ts'
import { bundlePages } from './bundle-pages.ts'

export { profileOf } from '../../../services/batch-signer/test/test-support/running-service.ts'

const login = {
  'en-US': { key: 'API key', signIn: 'Sign in' },
  'pt-BR': { key: 'Chave de API', signIn: 'Entrar' },
} as const

export type Locale = keyof typeof login

interface OperatorOptions extends Pick<ServiceOptions, 'profiles' | 'settings'> {
  readonly path: string
  readonly width: number
  readonly locale: Locale
}

/** Opens pages of the dashboard, for the tests of a file. */
export function batchPages() {
  const { visit, swap } = bundlePages('batch')
  return async ({ path, width, locale, ...more }: OperatorOptions) => {
    const service = await startBatchSigner({ database: 'SQLite', ...more })
    const { origin, stop } = await swap(service.full.baseUrl)
    onTestFinished(stop)
    const options = { locale, viewport: { width, height: 900 }, provoked: /400|401|404/ }
    const page = await visit(origin, `/login?ReturnUrl=${encodeURIComponent(path)}`, () => new Date(), options)
    await page.getByLabel(login[locale].key).fill(API_KEY)
    await page.getByRole('button', { name: login[locale].signIn }).click()
    return { service, page }
  }
}
