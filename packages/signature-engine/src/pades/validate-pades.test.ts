import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { containerKinds, tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import type { SignatureReport, ValidationReport } from '../report/report.ts'
import { INTACT } from '../report/test-support/intact.ts'
import type { PadesLevel } from './levels.ts'
import { amountField, contract, contractPdf, stream, taggedContract, text } from './test-support/contract-pdf.ts'
import { cmsBy, opensslSigned } from './test-support/openssl-signature.ts'
import { currentText, pageWith, type RawUpdate, rawUpdate, without } from './test-support/raw-update.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'
import { validatePades } from './validate-pades.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

const codesOf = ({ findings }: SignatureReport): string[] => findings.map(({ code }) => code)
const errorsIn = ({ findings, signatures }: ValidationReport): string[] =>
  [...findings, ...signatures.flatMap((one) => one.findings)]
    .filter(({ severity }) => severity === 'error')
    .map(({ code }) => code)

/** The verdict of pdfsig, an independent tool, on each signature. */
async function pdfsigVerdicts(pdf: Uint8Array): Promise<string[]> {
  const file = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(file, pdf)
  const { text: output } = await runTool('pdfsig', ['-nocert', file])
  return [...output.matchAll(/Signature Validation: (.*)/g)].map(([, verdict]) => verdict!)
}

const filled: RawUpdate = {
  objects: {
    [contract.amount]: amountField('200', 500),
    500: stream(text('200'), '/Type /XObject /Subtype /Form /BBox [0 0 200 20]'),
  },
}

const NOTE = '<< /Type /Annot /Subtype /Text /Rect [400 700 420 720] /Contents (noted) /P 4 0 R >>'

const annotated = (signed: Buffer): RawUpdate => ({
  objects: { [contract.page]: pageWith(signed, contract.page, '500 0 R'), 500: NOTE },
})

describe('an honest signature', () => {
  test('covers the whole file, names its signer and tells its claimed time', async () => {
    const report = await room.validate(await room.sign(contractPdf()))
    expect(report).toMatchObject({ format: 'PAdES', indication: 'valid', findings: [] })
    const [signature] = report.signatures
    expect(signature).toMatchObject({
      kind: 'signature',
      name: 'Signature1',
      level: 'B-B',
      integrity: { content: { state: 'passed' }, signature: { state: 'passed' } },
      coverage: { wholeDocument: true, laterChanges: [] },
      findings: [],
    })
    expect(signature!.signer!.cpf).toBe('52998224725')
    expect(signature!.claimedTime!.getTime()).toBe(Math.floor(room.clock().getTime() / 1000) * 1000)
    expect(signature!.provenTime.by).toBe('now')
  })

  for (const level of ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RC', 'AD-RA'] satisfies PadesLevel[]) {
    test(`of level ${level} is recognised as such`, async () => {
      const report = await room.validate(await room.sign(contractPdf(), { level }))
      expect(errorsIn(report)).toEqual([])
      expect(report.indication).toBe('valid')
      expect(report.signatures[0]!.level).toBe(level)
      expect(report.signatures[0]!.provenTime.by).toBe(level.endsWith('B') ? 'now' : 'timestamp')
    })
  }

  for (const [kind, make] of Object.entries(containerKinds)) {
    test(`is valid, and so is a second one, in a file of the kind "${kind}"`, async () => {
      const twice = await room.sign(await room.sign(make()))
      const report = await room.validate(twice)
      expect(errorsIn(report)).toEqual([])
      expect(report.signatures.map(({ indication }) => indication)).toEqual(['valid', 'valid'])
    })
  }

  test('under the names that ICP-Brasil mandates is valid, and the names are told', async () => {
    const report = await room.validate(
      await room.sign(contractPdf(), { level: 'AD-RB', pdfStandard: 'icp-brasil-strict' }),
    )
    expect(report.indication).toBe('valid')
    expect(codesOf(report.signatures[0]!)).toEqual(['pdf.sub-filter-icp-brasil', 'policy-requirement-unmet'])
    expect(report.signatures[0]!.level).toBe('AD-RB')
  })

  test('stays valid when white space is appended', async () => {
    const report = await room.validate(Buffer.concat([await room.sign(contractPdf()), Buffer.from('\r\n \0')]))
    expect(report.indication).toBe('valid')
    expect(report.signatures[0]!.coverage.wholeDocument).toBe(true)
  })

  test('with the long-term levels outlives its certificate, and without them does not', async () => {
    const [plain, longTerm] = [await room.sign(contractPdf()), await room.sign(contractPdf(), { level: 'B-LTA' })]
    const signedAt = room.clock()
    room.clock.set(new Date(room.signer.certificate.notAfter.getTime() + 24 * 60 * 60 * 1000))
    try {
      const options = { judge: room.newJudge(), now: room.clock() }
      const report = await validatePades(longTerm, options)
      expect(report.indication).toBe('valid')
      expect(report.signatures[0]!.provenTime.by).toBe('timestamp')
      expect((await validatePades(plain, options)).indication).toBe('indeterminate')
    } finally {
      room.clock.set(signedAt)
    }
  })
})

describe('several signatures', () => {
  test('twenty of them, each over the ones before, are all valid', async () => {
    let pdf = contractPdf()
    for (let i = 0; i < 20; i++) pdf = await room.sign(pdf)
    const report = await room.validate(pdf)
    expect(errorsIn(report)).toEqual([])
    expect(report.signatures.map(({ indication }) => indication)).toEqual(Array(20).fill('valid'))
    expect(report.signatures[0]!.coverage.description).toMatch(/^revision 2 of 21, /)
    expect(report.signatures[0]!.coverage.laterChanges!.every(({ kind }) => kind === 'signature')).toBe(true)
    expect(report.signatures[19]!.coverage.wholeDocument).toBe(true)
    expect(await pdfsigVerdicts(pdf)).toEqual(Array(20).fill('Signature is Valid.'))
  })

  test('with filled fields, evidence and document timestamps between them are all valid', async () => {
    let pdf = await room.sign(contractPdf(), { level: 'B-LTA' })
    pdf = rawUpdate(pdf, filled)
    pdf = await room.sign(pdf, { fieldName: 'second party', level: 'B-LTA' })
    pdf = await room.sign(pdf)
    const report = await room.validate(pdf)
    expect(errorsIn(report)).toEqual([])
    expect(report.signatures.map(({ kind, indication, level }) => [kind, indication, level])).toEqual([
      ['signature', 'valid', 'B-LTA'],
      ['document-timestamp', 'valid', 'none'],
      ['signature', 'valid', 'B-LTA'],
      ['document-timestamp', 'valid', 'none'],
      ['signature', 'valid', 'B-B'],
    ])
    const kinds = report.signatures[0]!.coverage.laterChanges!.map(({ kind }) => kind)
    expect(kinds).toEqual([
      'validation-data',
      'document-timestamp',
      'form-fill',
      'signature',
      'validation-data',
      'document-timestamp',
      'signature',
    ])
    expect(await pdfsigVerdicts(pdf)).not.toContain('Digest Mismatch.')
  })

  test('shown on every page leave the earlier ones valid', async () => {
    const appearance = {
      page: 'all',
      x: 50,
      y: 50,
      width: 200,
      height: 60,
      lines: ['Signed by Maria da Silva'],
    } as const
    const first = await room.sign(contractPdf(), { permits: 'unsaid' })
    const report = await room.validate(await room.sign(first, { appearance }))
    expect(errorsIn(report)).toEqual([])
    expect(report.indication).toBe('valid')
  })
})

describe('a rule that only the signature itself states', () => {
  type Permits = 'no-changes' | 'form-filling' | 'annotations'
  const evil: RawUpdate = { objects: { [contract.content]: stream(text('Pay 999,999')) } }
  const changes: readonly [string, Permits, Update, string | undefined][] = [
    ['a filled field', 'form-filling', filled, undefined],
    ['a filled field', 'no-changes', filled, 'pdf.not-permitted-change'],
    ['a comment', 'annotations', annotated, undefined],
    ['a comment', 'form-filling', annotated, 'pdf.evil-annotation'],
    ['the content of a page', 'form-filling', evil, 'pdf.incremental-saving'],
    ['the content of a page', 'annotations', evil, 'pdf.incremental-saving'],
  ]
  test.each(changes)('%s changed after a signature that allows %s', async (_what, permits, update, code) => {
    const signed = await room.sign(contractPdf(), { permits })
    const changed = rawUpdate(signed, typeof update === 'function' ? update(signed) : update)
    const report = await room.validate(changed)
    expect(report.indication).toBe(code === undefined ? 'valid' : 'invalid')
    expect(errorsIn(report)).toEqual(code === undefined ? [] : [code])
    expect(report.signatures[0]!.coverage.laterChanges).toMatchObject([{ permitted: code === undefined }])
    // The digest holds: without the rule for later changes nobody would see anything.
    expect(await pdfsigVerdicts(changed)).toEqual(['Signature is Valid.'])
  })

  test('holds for the signatures after it, too', async () => {
    const two = async (permits: Permits) => room.sign(await room.sign(contractPdf(), { permits }))
    const commented = async (signed: Buffer) =>
      (await room.validate(rawUpdate(signed, annotated(signed)))).signatures.map(({ indication }) => indication)
    expect(await commented(await two('annotations'))).toEqual(['valid', 'valid'])
    expect(await commented(await two('form-filling'))).toEqual(['invalid', 'invalid'])
  })

  test('of a signature that is not intact widens nothing for those after it', async () => {
    const twice = await room.sign(await room.sign(contractPdf(), { permits: 'annotations' }))
    const at = twice.indexOf('/Contents <', undefined, 'latin1') + 200
    const broken = Buffer.from(twice)
    broken[at] = broken[at] === 0x30 ? 0x31 : 0x30
    const report = await room.validate(rawUpdate(broken, annotated(broken)))
    expect(report.indication).toBe('invalid')
    expect(codesOf(report.signatures[1]!)).toContain('pdf.evil-annotation')
  })

  test('of form filling does not allow a later signature on every page', async () => {
    const appearance = { page: 'all', x: 50, y: 50, width: 200, height: 60, lines: ['Maria'] } as const
    const first = await room.sign(contractPdf(), { permits: 'form-filling' })
    await expect(room.sign(first, { appearance })).rejects.toMatchObject({ code: 'pades.locked' })
    // A signer who overlooks the rule: it is shown another one, and signs over the bytes that are there.
    const shown = Buffer.from(first.toString('latin1').replace('/P 2\n/V /1.2', '/P 3\n/V /1.2'), 'latin1')
    const digestState = createHash('sha256').update(first)
    const twice = Buffer.concat([first, await room.sign(shown, { appearance, digestState, output: 'appended' })])
    const [earlier, later] = (await room.validate(twice)).signatures
    expect(later!.indication).toBe('valid')
    expect(earlier!.indication).toBe('invalid')
    expect(codesOf(earlier!)).toContain('pdf.evil-annotation')
  })

  test('allows evidence, document timestamps and further signatures of every level', async () => {
    let pdf = await room.sign(contractPdf(), { level: 'B-LTA' })
    pdf = await room.sign(pdf, { level: 'AD-RA' })
    pdf = await room.sign(pdf, { fieldName: 'second party' })
    const report = await room.validate(pdf)
    expect(errorsIn(report)).toEqual([])
    expect(report.indication).toBe('valid')
  })
})

type Update = RawUpdate | ((signed: Buffer) => RawUpdate)

describe('what may come after a signature', () => {
  const table: readonly [string, 'no-changes' | 'form-filling' | 'annotations' | undefined, Update, boolean][] = [
    ['filling a field', undefined, filled, true],
    ['filling a field', 'no-changes', filled, false],
    ['filling a field', 'form-filling', filled, true],
    ['filling a field', 'annotations', filled, true],
    ['a comment', undefined, annotated, false],
    ['a comment', 'no-changes', annotated, false],
    ['a comment', 'form-filling', annotated, false],
    ['a comment', 'annotations', annotated, true],
    ['a changed comment', 'annotations', { objects: { [contract.comment]: NOTE } }, true],
    [
      'a removed comment',
      'annotations',
      (signed) => ({ objects: { [contract.page]: without(signed, contract.page, contract.comment) } }),
      true,
    ],
    ['new information', 'no-changes', { objects: { [contract.info]: '<< /Title (Signed) >>' } }, true],
    [
      'new metadata',
      'no-changes',
      { objects: { [contract.metadata]: stream('<x/>', '/Type /Metadata /Subtype /XML') } },
      true,
    ],
    ['an object that nothing refers to', 'no-changes', { objects: { 500: '(nothing)' } }, true],
    ['an unchanged object written again', 'no-changes', { objects: { [contract.amount]: amountField('100') } }, true],
    [
      'a ticked box',
      'form-filling',
      {
        objects: {
          [contract.agreed]:
            '<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /V /Yes /AS /Yes /Rect [72 450 92 470] /F 4 /P 4 0 R /AP << /N << /Yes 106 0 R /Off 107 0 R >> >> >>',
        },
      },
      true,
    ],
    [
      'a field filled with its picture overwritten',
      'form-filling',
      {
        objects: {
          [contract.amount]: amountField('200'),
          [contract.amountPicture]: stream(text('200'), '/Type /XObject /Subtype /Form /BBox [0 0 200 20]'),
        },
      },
      true,
    ],
    [
      'a field below another',
      'form-filling',
      {
        objects: {
          [contract.partyName]:
            '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Parent 104 0 R /V (Bia) /Rect [0 0 0 0] >>',
        },
      },
      true,
    ],
  ]
  for (const [what, certify, update, permitted] of table) {
    test(`${what} is ${permitted ? 'allowed' : 'not allowed'} ${certify ? `by certification for ${certify}` : 'without certification'}`, async () => {
      const signed = await room.sign(contractPdf(), certify ? { certify } : {})
      const report = await room.validate(rawUpdate(signed, typeof update === 'function' ? update(signed) : update))
      expect(errorsIn(report).length === 0).toBe(permitted)
      expect(report.indication).toBe(permitted ? 'valid' : 'invalid')
      expect(report.signatures[0]!.coverage.laterChanges!.every((change) => change.permitted)).toBe(permitted)
    })
  }

  test('a new signature field may take its place in the structure of a tagged document', async () => {
    const signed = await room.sign(taggedContract())
    const report = await room.validate(
      rawUpdate(signed, {
        objects: {
          141: '<< /Type /StructTreeRoot /K [142 0 R 501 0 R] /ParentTree 502 0 R /ParentTreeNextKey 2 >>',
          502: '<< /Nums [0 [142 0 R] 1 501 0 R] >>',
          [contract.page]: pageWith(signed, contract.page, '500 0 R'),
          [contract.form]: currentText(signed, contract.form).replace('[', '[500 0 R '),
          500: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (witness) /Rect [0 0 0 0] /P 4 0 R /StructParent 1 >>',
          501: '<< /Type /StructElem /S /Form /P 141 0 R /K << /Type /OBJR /Obj 500 0 R >> >>',
        },
      }),
    )
    expect(errorsIn(report)).toEqual([])
    expect(report.indication).toBe('valid')
  })

  test('long-term evidence is allowed even when nothing else is', async () => {
    const report = await room.validate(await room.sign(contractPdf(), { certify: 'no-changes', level: 'B-LTA' }))
    expect(errorsIn(report)).toEqual([])
    expect(report.indication).toBe('valid')
  })

  test('a lock on a field forbids filling that field and no other', async () => {
    const lock = '/Lock << /Type /SigFieldLock /Action /Include /Fields [(amount)] >>'
    const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (second party) /Rect [0 0 0 0] /P 4 0 R ${lock} >>`
    const locked = await room.sign(contractPdf({ extra: { 112: field } }), { fieldName: 'second party' })
    const other = '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Parent 104 0 R /V (Bia) /Rect [0 0 0 0] >>'
    expect((await room.validate(rawUpdate(locked, { objects: { [contract.partyName]: other } }))).indication).toBe(
      'valid',
    )
    const broken = await room.validate(rawUpdate(locked, filled))
    expect(broken.indication).toBe('invalid')
    expect(errorsIn(broken)).toEqual(['pdf.not-permitted-change'])
  })

  test('a later signature that is broken makes the earlier one invalid, too: nobody answers for its revision', async () => {
    const pdf = await room.sign(await room.sign(contractPdf()))
    const at = pdf.lastIndexOf('/Contents <', undefined, 'latin1') + 200
    pdf[at] = pdf[at] === 0x30 ? 0x31 : 0x30
    const [first, second] = (await room.validate(pdf)).signatures
    expect(first!.indication).toBe('invalid')
    expect(second!.indication).not.toBe('valid')
  })

  test('a signature that a later revision removes is found all the same', async () => {
    const signed = await room.sign(contractPdf())
    const report = await room.validate(rawUpdate(signed, { root: contract.hiddenCatalog }))
    expect(report.signatures.map(({ name: field }) => field)).toEqual(['Signature1'])
  })
})

describe('other kinds of signatures', () => {
  const signedByOpenssl = (subFilter: string, ...options: readonly string[]) =>
    opensslSigned(room.pki, { subFilter, command: cmsBy('-md', 'sha256', ...options) })

  test('a plain CMS, as older tools write, is judged and has no PAdES level', async () => {
    const report = await room.validate(await signedByOpenssl('adbe.pkcs7.detached'))
    expect(report.signatures[0]).toMatchObject({
      level: 'none',
      integrity: { content: { state: 'passed' }, signature: { state: 'passed' } },
    })
    expect(errorsIn(report)).toEqual([])
  })

  test('a CMS with indefinite lengths is read, and told', async () => {
    const report = await room.validate(await signedByOpenssl('adbe.pkcs7.detached', '-stream', '-nodetach'))
    expect(codesOf(report.signatures[0]!)).toContain('not-der')
  })

  test('a sub-filter nobody knows is told, and the signature judged all the same', async () => {
    const report = await room.validate(await signedByOpenssl('Acme.signature'))
    expect(codesOf(report.signatures[0]!)).toContain('pdf.sub-filter-unknown')
    const certificateBinding = { state: 'not-checked', reason: 'certificate-unnamed' }
    expect(report.signatures[0]!.integrity).toEqual({ ...INTACT, certificateBinding })
  })
})

describe('the name in the signature dictionary', () => {
  for (const signerName of ['Maria da Silva', 'MARIA SILVA', 'María da Silva']) {
    test(`"${signerName}" agrees with the certificate`, async () => {
      expect((await room.validate(await room.sign(contractPdf(), { signerName }))).indication).toBe('valid')
    })
  }

  test('that is not the holder’s is told, and decides nothing', async () => {
    const report = await room.validate(await room.sign(contractPdf(), { signerName: 'Banco Central do Brasil' }))
    expect(report.indication).toBe('valid')
    expect(codesOf(report.signatures[0]!)).toEqual(['pdf.signer-name-spoofed'])
  })
})

describe('documents without a judgeable signature', () => {
  test('a PDF without signatures is indeterminate and says why', async () => {
    const report = await room.validate(tablePdf())
    expect(report).toMatchObject({ indication: 'indeterminate', signatures: [] })
    expect(report.findings.map(({ code }) => code)).toEqual(['no-signature'])
  })

  test('an empty signature field is no signature', async () => {
    expect((await room.validate(contractPdf())).signatures).toEqual([])
  })

  test('what is no PDF is refused', async () => {
    await expect(room.validate(Buffer.from('hello'))).rejects.toMatchObject({ code: 'pdf.not-a-pdf' })
  })

  test('bytes before the header make the whole document malformed', async () => {
    const report = await room.validate(Buffer.concat([Buffer.from('\n'), await room.sign(contractPdf())]))
    expect(report.indication).toBe('invalid')
    expect(report.findings.map(({ code }) => code)).toEqual(['document-unreadable'])
  })
})
