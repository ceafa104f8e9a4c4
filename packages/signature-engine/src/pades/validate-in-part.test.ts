import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encryptedPdf } from '../pdf/test-support/encrypted-pdfs.ts'
import { tablePdf, withRevision } from '../pdf/test-support/sample-pdfs.ts'
import { reportText, reportTexts } from '../report/text.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom

beforeAll(async () => {
  room = await openSigningRoom()
})

afterAll(() => room.stop())

const field = '<< /FT /Tx /T (name) >>'

/** A document whose first revision has a field that is not where its table says; the next one brought it again. */
function damagedBefore(): Buffer {
  const first = tablePdf({ catalog: '/AcroForm << /Fields [80 0 R] >>', extra: { 80: field } }).toString('latin1')
  const offset = String(first.indexOf('80 0 obj')).padStart(10, '0')
  return withRevision(Buffer.from(first.replace(`${offset} 00000 n`, '0000000030 00000 n'), 'latin1'), { 80: field })
}

async function signedTwice(pdf: Buffer): Promise<Buffer> {
  return room.sign(await room.sign(pdf, { signerName: 'Maria' }), { level: 'B-LTA' })
}

async function seenByOthers(pdf: Uint8Array): Promise<number> {
  const path = join(temporaryFolder(), 'file.pdf')
  writeFileSync(path, pdf)
  return (await runTool('pdfsig', ['-nocert', path])).text.match(/Signature is Valid/g)?.length ?? 0
}

describe('a signed document of which one object cannot be read', () => {
  test('has the signatures that others see, each whole, and none of them valid', async () => {
    const signed = await signedTwice(damagedBefore())
    // It does not look at document timestamps.
    expect(await seenByOthers(signed)).toBe(2)
    const report = await room.validate(signed)
    expect(report.findings.map(({ code }) => code)).toEqual(['document-unreadable'])
    expect(report.indication).toBe('indeterminate')
    expect(report.signatures.map(({ name, kind, indication }) => [name, kind, indication])).toEqual([
      ['Signature1', 'signature', 'indeterminate'],
      ['Signature2', 'signature', 'indeterminate'],
      ['Timestamp1', 'document-timestamp', 'indeterminate'],
    ])
    for (const { integrity, signer } of report.signatures) {
      expect(integrity).toMatchObject({ content: { state: 'passed' }, signature: { state: 'passed' } })
      expect(signer).not.toBeNull()
    }
    expect(reportText(report, 'en-US')).toContain(reportTexts['en-US'].unreadable.some)
    expect(reportText(report, 'en-US')).not.toContain(reportTexts['en-US'].unsigned)
  })

  test('is invalid once something was appended that cannot be read, or a byte was changed', async () => {
    const signed = await signedTwice(damagedBefore())
    expect(await room.validate(withRevision(signed, { 80: field }))).toMatchObject({ indication: 'invalid' })
    const appended = Buffer.concat([await room.sign(tablePdf()), Buffer.from('xref\nno table\nstartxref\n9\n%%EOF\n')])
    expect(await room.validate(appended)).toMatchObject({ indication: 'invalid', signatures: [{ name: 'Signature1' }] })
    signed[60] = signed[60]! ^ 1
    const changed = await room.validate(signed)
    expect(changed).toMatchObject({ indication: 'invalid' })
    expect(changed.signatures.every(({ integrity }) => integrity.content.state === 'failed')).toBe(true)
  })

  test('is said to be unreadable, and not unsigned, where no signature is whole', async () => {
    const report = await room.validate(tablePdf().subarray(0, 300))
    expect(report).toMatchObject({ indication: 'invalid', signatures: [] })
    expect(reportText(report, 'pt-BR')).toContain(reportTexts['pt-BR'].unreadable.none)
  })

  test('may be encrypted: the texts of its signatures are then left out', async () => {
    const signed = await room.sign(encryptedPdf(tablePdf(), 'AES-256 (R6)'), {
      signerName: 'Maria',
      reason: 'De acordo',
    })
    const broken = Buffer.concat([signed, Buffer.from('startxref\n7\n%%EOF\n')])
    const { signatures } = await room.validate(broken)
    expect(signatures).toMatchObject([{ signer: { name: 'MARIA DA SILVA' }, claimedTime: null }])
  })
})
