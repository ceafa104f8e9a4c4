import { afterEach, beforeEach, expect, it } from 'vitest'
import { rewriteSignedData, withAttributes } from '../cms/rewrite-signed-data.ts'
import { attribute } from '../cms/signed-attributes.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import { octetString, sequence } from '../der/der-writer.ts'
import { underDemoRoot } from '../report/test-support/intact.ts'
import { extendCades, signCades, validateCades } from './index.ts'

const start = new Date()
let today = start
const inYears = (years: number) => new Date(start.getTime() + years * 365 * 24 * 3_600_000)

let demo: DemoSigners
// A PKI per test: time only goes forward, and so do its revocation lists.
beforeEach(async () => {
  today = start
  demo = await startDemoSigners(() => today)
})
afterEach(() => demo.stop())

const content = Buffer.from('Escritura pública, para guardar por muitos anos.')
const helpers = () => ({ timestamps: demo.timestamps, judge: demo.judge, now: today })
const judged = async (file: Buffer) => {
  const { signatures } = await validateCades(file, { judge: demo.judge, now: today })
  return signatures[0]!
}

it.each(['B-LTA', 'AD-RA'] as const)(
  'an archive of level %s outlives the certificate, renewed every two years',
  async (level) => {
    let file = await signCades(content, demo.holder('ana-souza'), { level, ...helpers() })
    for (const years of [2, 4]) {
      today = inYears(years)
      file = await extendCades(file, { level, ...helpers() })
    }
    today = inYears(4.5)
    const signature = await judged(file)
    const archives = signature.timestamps.filter(({ kind }) => kind === 'archive')
    expect(archives.map(({ indication }) => indication)).toEqual(['valid', 'valid', 'valid'])
    expect(signature).toMatchObject({ level, indication: 'valid', provenTime: { by: 'timestamp' } })
    expect(signature.findings).toEqual(underDemoRoot(level))
    expect(signature.provenTime.time.getTime()).toBeLessThan(inYears(0.1).getTime())
  },
)

it('a basic signature does not outlive the certificate', async () => {
  const file = await signCades(content, demo.holder('ana-souza'), { now: today })
  today = inYears(2)
  expect((await judged(file)).indication).not.toBe('valid')
})

it('a signature with a timestamp does, as long as the authority that stamped it is good', async () => {
  const file = await signCades(content, demo.holder('ana-souza'), { level: 'B-LT', ...helpers() })
  today = inYears(2)
  expect((await judged(file)).indication).toBe('valid')
  today = inYears(7)
  expect((await judged(file)).indication).toBe('indeterminate')
})

it('an archive timestamp of version 3 holds when something is added, not when something it covers is gone', async () => {
  const file = await signCades(content, demo.holder('ana-souza'), { level: 'B-LTA', ...helpers() })
  const signedData = readSignedData(file)
  const added = withAttributes(signedData, 0, attribute('1.2.3.4.5', octetString(Buffer.from('more'))))
  expect(await judged(added)).toMatchObject({ level: 'B-LTA', indication: 'valid' })
  const fewer = rewriteSignedData({ ...signedData, revocationChoices: signedData.revocationChoices.slice(1) }, {})
  const { timestamps, indication } = await judged(fewer)
  expect(timestamps.find(({ kind }) => kind === 'archive')).toMatchObject({
    indication: 'invalid',
    imprint: { state: 'failed' },
  })
  expect(indication).toBe('indeterminate')
})

it('an archive timestamp of version 2 does not hold when anything is added or gone', async () => {
  const file = await signCades(content, demo.holder('ana-souza'), { level: 'AD-RA', ...helpers() })
  const added = withAttributes(readSignedData(file), 0, attribute('1.2.3.4.5', sequence()))
  const signature = await judged(added)
  expect(signature.timestamps.find(({ kind }) => kind === 'archive')?.indication).toBe('invalid')
  expect(signature.level).not.toBe('AD-RA')
  expect(signature.indication).not.toBe('valid')
})
