import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { signCades, validateCades } from '../cades/index.ts'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { signPades, validatePades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import type { ValidationReport } from '../report/index.ts'
import { signXades, validateXades } from '../xades/index.ts'
import { scanXml, type XmlIndex } from '../xml/index.ts'
import { etsiReport } from './index.ts'

const VR = 'http://uri.etsi.org/19102/v1.2.1#'
const DS = 'http://www.w3.org/2000/09/xmldsig#'
const content = Buffer.from('Pagar R$ 100,00.')

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const judging = () => ({ judge: demo.judge, now: new Date() })
const helpers = () => ({ now: new Date(), timestamps: demo.timestamps, judge: demo.judge })

/** The report as another program reads it: xmllint finds it well formed. */
async function read(report: ValidationReport): Promise<XmlIndex> {
  const xml = etsiReport(report)
  const file = join(temporaryFolder(), 'report.xml')
  writeFileSync(file, xml)
  expect(await runTool('xmllint', ['--noout', file])).toMatchObject({ ok: true })
  return scanXml(Buffer.from(xml))
}

const texts = (index: XmlIndex, name: string, namespace = VR) =>
  index.findAll(namespace, name).map((element) => index.text(element))

describe('a validation report of TS 119 102-2', () => {
  test('names the status of a signature and refers to everything that was used', async () => {
    const ana = demo.holder('ana-souza')
    const report = await validateCades(await signCades(content, ana, { ...helpers(), level: 'B-LTA' }), judging())
    const index = await read(report)
    const [status] = index.findAll(VR, 'SignatureValidationStatus')
    expect(index.text(index.childrenNamed(status!, VR, 'MainIndication')[0]!)).toBe(
      'urn:etsi:019102:mainindication:total-passed',
    )
    expect(texts(index, 'SubIndication')).toEqual([])
    expect(texts(index, 'SignatureValue', DS)).toEqual([report.signatures[0]!.values!.signature.toString('base64')])
    expect(new Set(texts(index, 'ObjectType'))).toEqual(
      new Set(
        ['certificate', 'CRL', 'OCSPResponse', 'timestamp'].map((type) => `urn:etsi:019102:validationObject:${type}`),
      ),
    )
    expect(texts(index, 'base64')).toContain(ana.certificate.der.toString('base64'))
    const ids = new Set(index.findAll(VR, 'ValidationObject').map((object) => index.attribute(object, 'id')))
    const named = ['SignerCertificate', 'SigningCertificate', 'POEObject', 'AttributeObject', 'RelatedValidationObject']
    for (const name of named) {
      const references = index.findAll(VR, name).map((one) => index.attribute(one, 'VOReference'))
      expect(references.length, name).toBeGreaterThan(0)
      for (const reference of references) expect(ids, name).toContain(reference)
    }
  })

  test('tells why a signature failed, of what was not checked, and when a certificate was revoked', async () => {
    const changed = await signCades(content, demo.holder('ana-souza'), { now: new Date(), packaging: 'detached' })
    const failed = await read(await validateCades(changed, { ...judging(), content: Buffer.from('Pagar R$ 900,00.') }))
    expect(texts(failed, 'SubIndication')).toContain('urn:etsi:019102:subindication:HASH_FAILURE')
    expect(texts(failed, 'MainIndication')).toContain('urn:etsi:019102:mainindication:total-failed')
    const absent = await read(await validateCades(changed, judging()))
    expect(texts(absent, 'SubIndication')).toContain('urn:etsi:019102:subindication:SIGNED_DATA_NOT_FOUND')
    const signed = await signCades(content, demo.holder('revoked'), { now: new Date() })
    const revoked = await read(await validateCades(signed, judging()))
    expect(texts(revoked, 'SubIndication')).toContain('urn:etsi:019102:subindication:REVOKED_NO_POE')
    expect(texts(revoked, 'RevocationTime')).toHaveLength(1)
  })

  test('has one part for each signature of a PDF and of an XML document', async () => {
    const ana = demo.holder('ana-souza')
    const pdf = await signPades(await signPades(tablePdf(), ana, helpers()), ana, { ...helpers(), level: 'B-T' })
    expect((await read(await validatePades(pdf, judging()))).findAll(VR, 'SignatureValidationReport')).toHaveLength(2)
    const xml = await signXades(Buffer.from('<a><b>1</b></a>'), ana, { ...helpers(), level: 'AD-RT' })
    const index = await read(await validateXades(xml, judging()))
    expect(texts(index, 'SigPolicyId')[0]).toMatch(/^urn:oid:2\.16\.76\.1\.7\.1\./)
    expect(index.findAll(VR, 'SignatureTimeStamp')).toHaveLength(1)
  })

  test('tells what the signer states, by the names of the schema, and what was stamped before it was signed', async () => {
    const claims = {
      roles: ['Diretora & sócia', 'Procuradora'],
      commitments: ['proof-of-approval', '1.3.6.1.4.1.99999.7'],
      place: { city: 'Recife', state: 'PE', country: 'BR' },
    }
    const terms = { ...helpers(), claims, contentTimestamp: true }
    const ana = demo.holder('ana-souza')
    const cades = await validateCades(await signCades(content, ana, { ...terms, mimeType: 'text/plain' }), judging())
    const xml = await signXades(Buffer.from('<a/>'), ana, { ...terms, mimeType: 'text/plain' })
    for (const report of [cades, await validateXades(xml, judging())]) {
      const index = await read(report)
      expect(texts(index, 'Role').toSorted()).toEqual(claims.roles)
      expect(texts(index, 'EndorsementType')).toEqual(['claimed', 'claimed'])
      expect(texts(index, 'CommitmentTypeIdentifier').toSorted()).toEqual([
        'http://uri.etsi.org/01903/v1.2.2#ProofOfApproval',
        'urn:oid:1.3.6.1.4.1.99999.7',
      ])
      expect(texts(index, 'AddressString').toSorted()).toEqual(['BR', 'PE', 'Recife'])
      expect(texts(index, 'MimeType')).toEqual(['text/plain'])
      const [stamp] = index.findAll(VR, 'AllDataObjectsTimeStamp')
      expect(index.attribute(stamp!, 'Signed')).toBe('true')
    }
    expect(texts(await read(cades), 'Digest')).toEqual([
      cades.signatures[0]!.values!.contentDigest!.value.toString('base64'),
    ])
  })

  test('has a place for commitments that are no URI', async () => {
    const xml = await signXades(Buffer.from('<a/>'), demo.holder('ana-souza'), {
      ...helpers(),
      claims: { commitments: ['1.3.6.1.4.1.99999.7'] },
    })
    const odd = Buffer.from(xml.toString().replace('urn:oid:1.3.6.1.4.1.99999.7', 'by my word, 100%'))
    expect(texts(await read(await validateXades(odd, judging())), 'CommitmentTypeIdentifier')).toEqual([
      'by%20my%20word,%20100%25',
    ])
  })

  test('of a document without a signature has a part that says nothing is known', async () => {
    const index = await read(await validatePades(tablePdf(), judging()))
    expect(texts(index, 'MainIndication')).toEqual(['urn:etsi:019102:mainindication:indeterminate'])
  })

  test('escapes the names of strangers', async () => {
    const mallory = await demo.pki.issuePerson({ name: 'A & B </Signer><X a="1"> \u0001', cpf: '11144477735' })
    const signed = await signCades(content, demo.signerOf(mallory), { now: new Date() })
    const report = await validateCades(signed, judging())
    expect(texts(await read(report), 'Signer')).toEqual([
      report.signatures[0]!.signer!.name.replace('\u0001', '\ufffd'),
    ])
  })
})
