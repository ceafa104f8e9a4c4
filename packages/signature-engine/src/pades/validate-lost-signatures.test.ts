import { beforeAll, expect, test } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { signPades, validatePades } from './index.ts'

let demo: DemoSigners
let archived: Buffer
let signedTwice: Buffer

beforeAll(async () => {
  demo = await demoSignersOfToday()
  const signer = await demo.signer()
  const terms = { now: new Date(), timestamps: demo.timestamps, judge: demo.judge }
  archived = await signPades(tablePdf(), signer, { ...terms, level: 'B-LTA' })
  signedTwice = await signPades(await signPades(tablePdf(), signer, terms), signer, terms)
})

const judged = (pdf: Uint8Array) => validatePades(pdf, { judge: demo.judge, now: new Date() })

/** The file with this text replaced where it stands last; both have the same length. */
function edited(pdf: Buffer, pattern: RegExp, replace: (found: string) => string): Buffer {
  const found = [...pdf.toString('latin1').matchAll(pattern)].at(-1)!
  const copy = Buffer.from(pdf)
  copy.write(replace(found[0]), found.index, 'latin1')
  return copy
}

const codes = async (pdf: Uint8Array) => {
  const { indication, findings } = await judged(pdf)
  return { indication, lost: findings.filter(({ code }) => code === 'pdf.signature-lost').length }
}

test('the honest files are valid, and nothing is lost in them', async () => {
  expect(await codes(archived)).toEqual({ indication: 'valid', lost: 0 })
  expect(await codes(signedTwice)).toEqual({ indication: 'valid', lost: 0 })
})

test.each(['archived', 'signedTwice'] as const)(
  'a signature whose field no longer names it is missed (%s)',
  async (name) => {
    const pdf = { archived, signedTwice }[name]
    const cut = edited(pdf, /\/V \d+ 0 R/g, (found) => found.replace('/V', '/W'))
    expect(await codes(cut)).toEqual({ indication: 'invalid', lost: 1 })
  },
)

test('a signature that the cross-reference calls free is missed, by its field', async () => {
  const [, num] = [...signedTwice.toString('latin1').matchAll(/\/V (\d+) 0 R/g)].at(-1)!
  const offset = signedTwice.lastIndexOf(`\n${num} 0 obj`, undefined, 'latin1') + 1
  const row = `${String(offset).padStart(10, '0')} 00000 n`
  const freed = edited(signedTwice, new RegExp(row, 'g'), (found) => found.replace('n', 'f'))
  expect(await codes(freed)).toEqual({ indication: 'invalid', lost: 1 })
})

test('the only signature of a file, cut off, makes the file not unsigned but invalid', async () => {
  const signer = await demo.signer()
  const once = await signPades(tablePdf(), signer, { now: new Date() })
  const cut = edited(once, /\/AcroForm/g, () => '/AcroFarm')
  expect(await codes(cut)).toEqual({ indication: 'invalid', lost: 1 })
})
