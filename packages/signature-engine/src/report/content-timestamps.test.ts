// EN 319 102-1 §5.3.4: a content timestamp proves that the signature is younger. What is younger than the revocation or
// the end of its certificate has failed; without that proof it stays open, because it may be older.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signCades, validateCades } from '../cades/index.ts'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import { digest } from '../crypto/digest.ts'
import { signJades, validateJades } from '../jades/index.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { signPades, validatePades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { signXades, validateXades } from '../xades/index.ts'
import type { ValidationReport } from './report.ts'

const HOUR = 60 * 60 * 1000
const start = new Date('2027-03-01T12:00:00Z')
let clock = start
const later = (hours: number) => new Date(start.getTime() + hours * HOUR)

let demo: DemoSigners
beforeAll(async () => {
  demo = await startDemoSigners(() => clock)
})
afterAll(() => demo.stop())

interface Terms {
  readonly contentTimestamp: boolean
  readonly level: 'B-B' | 'B-T'
}

interface Format {
  readonly sign: (signer: DigestSigner, terms: Terms) => Promise<Uint8Array>
  readonly validate: (file: Uint8Array, judge: Judge) => Promise<ValidationReport>
}

const content = Buffer.from('{"ata":"da assembleia"}')
const invoice = Buffer.from('<?xml version="1.0"?><nota><total>10</total></nota>')
const helpers = () => ({ now: clock, timestamps: demo.timestamps, allowExpired: true })

const formats: Readonly<Record<string, Format>> = {
  CAdES: {
    sign: (signer, terms) => signCades(content, signer, { ...helpers(), ...terms }),
    validate: (file, judge) => validateCades(file, { judge, now: clock }),
  },
  XAdES: {
    sign: (signer, terms) => signXades(invoice, signer, { ...helpers(), ...terms }),
    validate: (file, judge) => validateXades(file, { judge, now: clock }),
  },
  PAdES: {
    sign: (signer, terms) => signPades(tablePdf(), signer, { ...helpers(), ...terms }),
    validate: (file, judge) => validatePades(file, { judge, now: clock }),
  },
  JAdES: {
    sign: (signer, terms) => signJades(content, signer, { ...helpers(), ...terms, serialization: 'flattened' }),
    validate: (file, judge) => validateJades(file, { judge, now: clock }),
  },
}

describe.each(Object.entries(formats))('%s', (_name, { sign, validate }) => {
  /** Signs two hours after the start; the status as it is six hours after it. */
  async function statusOf(signer: DigestSigner, terms: Terms): Promise<unknown> {
    clock = later(2)
    const file = await sign(signer, terms)
    clock = later(6)
    const { signatures } = await validate(file, demo.freshJudge())
    return signatures[0]!.subIndication ?? signatures[0]!.mainIndication
  }

  const bare = { contentTimestamp: false, level: 'B-B' } as const
  const stamped = { contentTimestamp: true, level: 'B-B' } as const
  const within = { contentTimestamp: true, level: 'B-T' } as const

  test.each([
    ['before its content was stamped', 1, stamped, 'REVOKED'],
    ['before both its timestamps', 1, within, 'REVOKED'],
    ['before it was made, which nothing proves', 1, bare, 'REVOKED_NO_POE'],
    ['before its own timestamp alone', 1, { contentTimestamp: false, level: 'B-T' }, 'REVOKED_NO_POE'],
    ['in the moment in which its content was stamped', 2, stamped, 'REVOKED_NO_POE'],
    ['after its content was stamped', 3, stamped, 'REVOKED_NO_POE'],
    ['after both its timestamps', 3, within, 'TOTAL-PASSED'],
  ] as const)('of a signer revoked %s', async (_when, hour, terms, expected) => {
    clock = later(4)
    const issued = await demo.pki.issuePerson({ name: 'Marta Teixeira', cpf: '52998224725' }, { key: 'P-256' })
    demo.pki.revoke(issued, { at: later(hour) })
    expect(await statusOf(demo.signerOf(issued), terms)).toBe(expected)
  })

  test.each([
    ['before its content was stamped', stamped, 'EXPIRED'],
    ['before both its timestamps', within, 'EXPIRED'],
    ['before it was made, which nothing proves', bare, 'OUT_OF_BOUNDS_NO_POE'],
  ] as const)('of a certificate that ended %s', async (_when, terms, expected) => {
    expect(await statusOf(demo.holder('expired'), terms)).toBe(expected)
  })
})

test('a timestamp over other content proves nothing of a revoked signer', async () => {
  clock = later(2)
  const issued = await demo.pki.issuePerson({ name: 'Marta Teixeira', cpf: '52998224725' }, { key: 'P-256' })
  demo.pki.revoke(issued, { at: later(1) })
  const { token } = await demo.timestamps.stampDigest('sha256', digest('sha256', invoice))
  const file = await signCades(content, demo.signerOf(issued), { now: clock, contentTimestamps: [token] })
  const { signatures } = await validateCades(file, { judge: demo.freshJudge(), now: clock })
  expect(signatures[0]).toMatchObject({ subIndication: 'REVOKED_NO_POE', timestamps: [{ indication: 'invalid' }] })
})

test('a revoked authority leaves it open, whenever the content was stamped', async () => {
  const own = await startDemoSigners(() => clock)
  try {
    clock = later(2)
    const signer = own.holder('ana-souza')
    const file = await signCades(content, signer, { now: clock, timestamps: own.timestamps, contentTimestamp: true })
    own.pki.revoke(own.pki.certificate('level-2'), { at: later(1) })
    const { signatures } = await validateCades(file, { judge: own.freshJudge(), now: clock })
    expect(signatures[0]).toMatchObject({ mainIndication: 'INDETERMINATE', subIndication: 'REVOKED_CA_NO_POE' })
  } finally {
    await own.stop()
  }
})
