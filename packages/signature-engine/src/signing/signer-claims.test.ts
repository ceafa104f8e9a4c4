import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type CadesHelpers,
  type CadesOptions,
  completeCades,
  coSignCades,
  counterSignCades,
  prepareCades,
  signCades,
  signCadesStream,
  validateCades,
} from '../cades/index.ts'
import { completeCms, prepareCms } from '../cms/cms-template.ts'
import { attributeOids } from '../cms/oids.ts'
import { attribute } from '../cms/signed-attributes.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { opensslVerifies } from '../cms/test-support/openssl-cms.ts'
import { digest } from '../crypto/digest.ts'
import { explicit, ia5String, oid, sequence, tlv, utf8String } from '../der/der-writer.ts'
import { toPem } from '../der/pem.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { preparePades, type SignPadesOptions, signPades, validatePades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { reportText, reportToJson } from '../report/index.ts'
import { commitmentTypes, type SignerClaims } from './signer-claims.ts'
import { openState, sealState } from './signing-state.ts'

let demo: DemoSigners
let signer: DigestSigner
beforeAll(async () => {
  demo = await demoSignersOfToday()
  signer = await demo.signer('RSA-2048')
})

const content = Buffer.from('Contrato de locação.')
const now = () => new Date()
const everything: SignerClaims = {
  roles: ['Diretora', 'Procuradora da Café Ltda.'],
  commitments: ['proof-of-approval', 'proof-of-origin', '1.3.6.1.4.1.99999.7'],
  place: { street: 'Rua da Aurora, 1', city: 'Recife', state: 'PE', postalCode: '50050-000', country: 'BR' },
}
const reported = {
  roles: everything.roles,
  commitments: expect.arrayContaining(['proof-of-approval', 'proof-of-origin', '1.3.6.1.4.1.99999.7']),
}
const inCms = { ...reported, place: { city: 'Recife', country: 'BR', lines: ['Rua da Aurora, 1', '50050-000', 'PE'] } }

const sign = (options: Partial<CadesOptions & CadesHelpers> = {}) =>
  signCades(content, signer, { now: now(), timestamps: demo.timestamps, judge: demo.judge, ...options })
const judged = (file: Uint8Array) => validateCades(file, { judge: demo.judge, now: now() })
const signPdf = (options: Partial<SignPadesOptions> = {}) =>
  signPades(tablePdf(), signer, { now: now(), timestamps: demo.timestamps, judge: demo.judge, ...options })
const judgedPdf = (file: Uint8Array) => validatePades(file, { judge: demo.judge, now: now() })

describe('claims of a CAdES signature', () => {
  test('are signed, read into the report, and accepted by openssl', async () => {
    const file = await sign({ claims: everything, mimeType: 'application/pdf', description: 'Contrato' })
    const { indication, signatures } = await judged(file)
    expect(indication).toBe('valid')
    expect(signatures[0]).toMatchObject({
      findings: [],
      claims: { ...inCms, mimeType: 'application/pdf', description: 'Contrato' },
    })
    const { ok, text } = await opensslVerifies(file, { roots: toPem('CERTIFICATE', demo.root.der) })
    expect(ok, text).toBe(true)
  })

  test('are the attributes that openssl knows by name, in the form of the level', async () => {
    const print = async (file: Uint8Array) =>
      (await openssl(['cms', '-cmsout', '-print', '-inform', 'DER', '-noout'], { input: file })).text
    const baseline = await print(await sign({ claims: everything }))
    expect(baseline).toContain('object: id-smime-aa-ets-commitmentType')
    expect(baseline).toContain('id-smime-cti-ets-proofOfApproval')
    expect(baseline).toContain('object: id-smime-aa-ets-signerLocation')
    expect(baseline).toContain(attributeOids.signerAttributesV2)
    const withPolicy = await sign({ claims: everything, level: 'AD-RB' })
    expect(await print(withPolicy)).toContain('object: id-smime-aa-ets-signerAttr ')
    expect(await judged(withPolicy)).toMatchObject({ indication: 'valid', signatures: [{ claims: reported }] })
  })

  test('are absent where there are none', async () => {
    expect((await judged(await sign())).signatures[0]).not.toHaveProperty('claims')
  })

  test('stand in the text and in the JSON of the report', async () => {
    const report = await judged(await sign({ claims: everything, mimeType: 'text/plain' }))
    const text = reportText(report, 'pt-BR')
    for (const said of ['Diretora', 'prova de aprovação', '1.3.6.1.4.1.99999.7', 'Rua da Aurora, 1', 'text/plain'])
      expect(text).toContain(said)
    expect(reportToJson(report)).toMatchObject({ signatures: [{ claims: { roles: everything.roles } }] })
  })

  test('are made by further signatures, counter-signatures, streams and sealed states as well', async () => {
    const both = await coSignCades(await sign(), await demo.signer('P-256'), { now: now(), claims: everything })
    const claimed = (await judged(both)).signatures.flatMap(({ claims }) => claims?.roles ?? [])
    expect(claimed).toEqual(everything.roles)
    const counter = await counterSignCades(both, signer, { now: now(), claims: { roles: ['Testemunha'] } })
    const confirmed = (await judged(counter)).signatures.flatMap(({ counterSignatures }) => counterSignatures)
    expect(confirmed.map(({ claims }) => claims?.roles)).toEqual([['Testemunha']])
    const pieces: Uint8Array[] = []
    const source = async function* () {
      yield content
    }
    for await (const piece of signCadesStream(source, signer, { now: now(), claims: everything, mimeType: 'a/b' }))
      pieces.push(piece)
    expect(await judged(Buffer.concat(pieces))).toMatchObject({ indication: 'valid', signatures: [{ claims: inCms }] })
    const prepared = prepareCades(content, signer.certificate, { now: now(), claims: everything })
    const state = openState(sealState(prepared.state, Buffer.alloc(32, 1)), Buffer.alloc(32, 1))
    const file = completeCades(state, await signer.sign(prepared))
    expect(await judged(file)).toMatchObject({
      signatures: [{ integrity: { signature: { state: 'passed' } }, claims: inCms }],
    })
  })

  test('of others are read in their forms, and what cannot be read is a warning', async () => {
    const claimed = sequence(
      attribute('2.5.4.72', sequence(explicit(1, tlv(0x86, Buffer.from('urn:role:notary'))))),
      attribute('2.5.4.12', utf8String('Tabeliã')),
    )
    const file = await signedWith([
      attribute(attributeOids.signerAttributes, sequence(explicit(0, claimed), explicit(1, sequence()))),
      attribute(attributeOids.commitmentType, ia5String('approved')),
      attribute(attributeOids.contentHints, sequence(oid('1.2.840.113549.1.7.1'))),
    ])
    const [signature] = (await judged(file)).signatures
    expect(signature).toMatchObject({
      indication: 'valid',
      claims: { roles: ['urn:role:notary', 'Tabeliã'], commitments: [], description: null },
      findings: [{ code: 'claim-unreadable', severity: 'warning', details: { claim: 'commitment' } }],
    })
  })

  async function signedWith(furtherAttributes: Buffer[]): Promise<Buffer> {
    const { certificate, chain } = signer
    const contentDigest = digest('sha256', content)
    const prepared = prepareCms({ certificate, chain, contentDigest, signingTime: now(), furtherAttributes })
    const { algorithm, toSign } = prepared
    return completeCms(prepared, await signer.sign({ algorithm, toSign, digest: digest('sha256', toSign) }), content)
  }
})

describe('a content timestamp', () => {
  test('of a CAdES signature is signed and judged, and proves nothing of the signature', async () => {
    for (const level of ['B-B', 'AD-RT', 'B-LTA'] as const) {
      const { indication, signatures } = await judged(await sign({ contentTimestamp: true, level }))
      expect(indication).toBe('valid')
      expect(signatures[0]?.timestamps[0]).toMatchObject({ kind: 'content', indication: 'valid' })
      expect(signatures[0]).toMatchObject({ level, provenTime: { by: level === 'B-B' ? 'now' : 'timestamp' } })
    }
  })

  test('of a stream, and of a further signature, too', async () => {
    const pieces: Uint8Array[] = []
    const source = async function* () {
      yield content
    }
    const options = { now: now(), timestamps: demo.timestamps, contentTimestamp: true }
    for (const opened of [source, source()]) {
      pieces.length = 0
      for await (const piece of signCadesStream(opened, signer, { ...options, length: content.length }))
        pieces.push(piece)
      const file = await coSignCades(Buffer.concat(pieces), await demo.signer('P-256'), options)
      const { signatures } = await judged(file)
      expect(signatures.map(({ timestamps }) => timestamps.map(({ indication }) => indication))).toEqual([
        ['valid'],
        ['valid'],
      ])
    }
  })

  test('of a PDF covers what the signature covers, and pdfsig accepts it', async () => {
    const file = await signPdf({ contentTimestamp: true, level: 'B-LTA', claims: everything })
    const { indication, signatures } = await judgedPdf(file)
    expect(indication).toBe('valid')
    expect(signatures[0]?.timestamps.map(({ kind, indication: one }) => [kind, one])).toEqual([
      ['content', 'valid'],
      ['signature', 'valid'],
    ])
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'signed.pdf'), file)
    expect((await runTool('pdfsig', ['-nocert', 'signed.pdf'], { folder })).text).toContain('Signature is Valid')
  })

  test('needs a client', async () => {
    const missing = expect.objectContaining({ code: 'signing.timestamps-missing' })
    await expect(signCades(content, signer, { now: now(), contentTimestamp: true })).rejects.toEqual(missing)
    await expect(signPades(tablePdf(), signer, { now: now(), contentTimestamp: true })).rejects.toEqual(missing)
  })
})

describe('claims of a PDF', () => {
  test('are attributes, with the place in the dictionary', async () => {
    const file = await signPdf({ claims: everything })
    const { indication, signatures } = await judgedPdf(file)
    expect(indication).toBe('valid')
    const place = { lines: ['Rua da Aurora, 1, 50050-000, Recife, PE, BR'] }
    expect(signatures[0]).toMatchObject({ findings: [], claims: { ...reported, place, mimeType: null } })
    expect(file.includes('/Location')).toBe(true)
  })

  test('leave a location that is given as it is, and read it without other claims', async () => {
    const given = await judgedPdf(await signPdf({ claims: everything, location: 'Olinda' }))
    expect(given.signatures[0]?.claims?.place).toEqual({ lines: ['Olinda'] })
    const alone = await judgedPdf(await signPdf({ location: 'Olinda' }))
    expect(alone.signatures[0]?.claims).toMatchObject({ roles: [], place: { lines: ['Olinda'] } })
  })

  test('have no signer-location in the CMS, which EN 319 142-1 forbids', () => {
    const { toSign } = preparePades(tablePdf(), signer.certificate, { now: now(), claims: everything })
    expect(Buffer.from(toSign).includes('Aurora')).toBe(false)
    expect(Buffer.from(toSign).includes(oid(attributeOids.commitmentType))).toBe(true)
  })

  test('do not go with a reason, when they have a commitment', async () => {
    const reason = 'Aceite'
    await expect(signPdf({ claims: everything, reason })).rejects.toMatchObject({
      code: 'pades.reason-with-commitment',
    })
    expect((await judgedPdf(await signPdf({ claims: { roles: ['Fiscal'] }, reason }))).indication).toBe('valid')
  })
})

describe('claims are refused by name', () => {
  test.each([
    ['signing.commitment-unknown', { commitments: ['proof-of-love'] }],
    ['signing.commitment-unknown', { commitments: ['constructor'] }],
    ['signing.commitment-unknown', { commitments: ['1.2.'] }],
    ['signing.text-unusable', { roles: [''] }],
    ['signing.text-unusable', { roles: ['a\u0000b'] }],
    ['signing.text-unusable', { roles: ['x'.repeat(257)] }],
    ['signing.text-unusable', { roles: [7 as unknown as string] }],
    ['signing.text-unusable', { place: { city: '\ud800' } }],
    ['signing.claims-unusable', { roles: 'Diretora' as unknown as string[] }],
    ['signing.claims-unusable', { commitments: Array(33).fill('proof-of-origin') }],
    ['signing.place-empty', { place: {} }],
  ] as [string, SignerClaims][])('%s %j', async (code, claims) => {
    await expect(sign({ claims })).rejects.toMatchObject({ code })
    await expect(signPdf({ claims })).rejects.toMatchObject({ code })
  })

  test('and so is a type of content that is no text', async () => {
    await expect(sign({ mimeType: 'a\nb' })).rejects.toMatchObject({ code: 'signing.text-unusable' })
  })
})

test('commitment types have the identifiers that openssl has names for', async () => {
  for (const [name, { oid: identifier, uri }] of Object.entries(commitmentTypes)) {
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    const { text } = await openssl(['asn1parse', '-inform', 'DER'], { input: oid(identifier) })
    expect(text).toContain(`id-smime-cti-ets-${camel}`)
    expect(uri.toLowerCase()).toContain(`#${camel.toLowerCase()}`)
  }
})
