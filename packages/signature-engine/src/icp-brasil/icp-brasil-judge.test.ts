import { addresses } from '@chancela/testkit/demo-pki'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { exchangeOverHttp } from '../http/exchange.ts'
import { signPades } from '../pades/sign-pades.ts'
import { validatePades } from '../pades/validate-pades.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { officialRootsAddress } from '../trust/import-official-roots.ts'
import { icpBrasilJudge } from './icp-brasil-judge.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await startDemoSigners()
})
afterAll(() => demo.stop())

/** The real exchange, and what was asked for. */
function counted(): { exchange: HttpExchange; asked: string[] } {
  const asked: string[] = []
  const exchange: HttpExchange = (request) => {
    asked.push(request.url)
    return exchangeOverHttp(request)
  }
  return { asked, exchange }
}

const signed = async () => signPades(tablePdf(), await demo.signer('P-256'), { now: new Date() })

describe('the judge of ICP-Brasil', () => {
  test('validates a signature under the roots that were given, and asks about revocation', async () => {
    const { exchange, asked } = counted()
    const judge = await icpBrasilJudge({ roots: [demo.root], downloads: true, exchange })
    const { indication } = await validatePades(await signed(), { judge, now: new Date(), policies: judge.policies })
    expect(indication).toBe('valid')
    expect(asked.every((url) => url.startsWith(new URL(addresses(demo.baseUrl).timeStamps).origin))).toBe(true)
    expect(asked.length).toBeGreaterThan(0)
  })

  test('asks nobody with downloads off: then revocation stays unknown', async () => {
    const { exchange, asked } = counted()
    const judge = await icpBrasilJudge({ roots: [demo.root], downloads: false, exchange })
    const { indication, signatures } = await validatePades(await signed(), { judge, now: new Date() })
    expect(indication).toBe('indeterminate')
    expect(signatures[0]!.certificate!.reasons.map(({ code }) => code)).toContain('revocation.unknown')
    expect(asked).toEqual([])
  })

  test('takes no root of a file for its name', async () => {
    const judge = icpBrasilJudge({ roots: demo.root.der, downloads: false })
    await expect(judge).rejects.toMatchObject({ code: 'trust.no-official-roots' })
  })

  test('downloads the roots from ITI when it may, and from nowhere else', async () => {
    const asked: string[] = []
    const exchange: HttpExchange = async ({ url }) => {
      asked.push(url)
      return { status: 200, headers: {}, body: demo.root.der }
    }
    await expect(icpBrasilJudge({ downloads: true, exchange })).rejects.toMatchObject({
      code: 'trust.no-official-roots',
    })
    expect(asked).toEqual([officialRootsAddress])
    await expect(icpBrasilJudge({ downloads: false })).rejects.toMatchObject({ code: 'trust.roots-needed' })
  })
})
