import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notChecked } from '../report/check.ts'
import { INTACT } from '../report/test-support/intact.ts'
import { attackClasses } from './test-support/attacks.ts'
import { contractPdf } from './test-support/contract-pdf.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

for (const [name, variants] of Object.entries(attackClasses)) {
  describe(`${name} is named and not valid`, () => {
    for (const [variant, { code, document, tamper }] of Object.entries(variants)) {
      test(variant, async () => {
        const signed = await room.sign(document ? await document(room.sign) : contractPdf())
        expect((await room.validate(signed)).indication).toBe('valid')
        const { indication, findings, signatures } = await room.validate(tamper(signed))
        expect(indication).toBe('invalid')
        const all = [...findings, ...signatures.flatMap((signature) => signature.findings)]
        expect(all.filter(({ severity }) => severity === 'error').map((finding) => finding.code)).toContain(code)
      })
    }
  })
}

test('cryptography alone sees nothing wrong with wrapping, shadow attacks and appended bodies', async () => {
  const blind = ['signature wrapping', 'shadow hide', 'shadow replace', 'evil annotation', 'page removal or addition']
  for (const { document, tamper } of blind.flatMap((name) => Object.values(attackClasses[name]!))) {
    const signed = await room.sign(document ? await document(room.sign) : contractPdf())
    const { signatures } = await room.validate(tamper(signed))
    const signature = signatures.find((one) => one.name === 'Signature1')
    expect(signature!.integrity).toEqual(INTACT)
  }
})

test('a file that lost its end on the way is not valid, and nobody is said to have forged it', async () => {
  const signed = await room.sign(contractPdf())
  for (const lost of [1, 2]) {
    const { indication, signatures } = await room.validate(signed.subarray(0, signed.length - lost))
    expect(indication).toBe('invalid')
    const codes = signatures[0]!.findings.map(({ code }) => code)
    expect(codes).toContain('pdf.byte-range-malformed')
    expect(codes).not.toContain('pdf.universal-forgery')
    expect(signatures[0]!.integrity).toEqual({ ...INTACT, content: notChecked('content-missing') })
  }
})
