import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signAsic } from '../asic/sign-asic.ts'
import { validateAsic } from '../asic/validate-asic.ts'
import { signCades } from '../cades/sign-cades.ts'
import { validateCades } from '../cades/validate-cades.ts'
import {
  issuerSerial,
  policyAttribute,
  signingCertificateAttribute,
  signingTimeAttribute,
} from '../cms/signed-attributes.ts'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import { digest } from '../crypto/digest.ts'
import { nothing, octetString, oid, sequence, utf8String } from '../der/der-writer.ts'
import { signJades } from '../jades/sign-jades.ts'
import { validateJades } from '../jades/validate-jades.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { signPades } from '../pades/sign-pades.ts'
import { type Attack, attackClasses } from '../pades/test-support/attacks.ts'
import { contractPdf } from '../pades/test-support/contract-pdf.ts'
import { validatePades } from '../pades/validate-pades.ts'
import { encryptedPdf } from '../pdf/test-support/encrypted-pdfs.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { selectPolicy, signingPolicies } from '../policies/policies.ts'
import type { PolicyCatalogue } from '../policies/policy-catalogue.ts'
import type { FindingCode, ValidationReport } from '../report/report.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { Certificate } from '../x509/certificate.ts'
import { signXades } from '../xades/sign-xades.ts'
import { validateXades } from '../xades/validate-xades.ts'
import { forecastRules, type RuleName } from './forecast-rules.ts'
import { forecastText } from './forecast-text.ts'
import { forecastTexts } from './forecast-texts.ts'
import { type Forecast, officialForecast } from './official-forecast.ts'
import { officialForecastOfPdf, officialForecastOfStream } from './official-forecast-file.ts'
import { attribute, type CmsDefect, craftedCms, signerInfo } from './test-support/crafted-cms.ts'
import { inPlace, plantedPdf } from './test-support/planted-pdf.ts'

let demo: DemoSigners
let signer: DigestSigner
let other: DigestSigner
beforeAll(async () => {
  demo = await startDemoSigners()
  signer = await demo.signer('P-256')
  other = await demo.signer('P-256')
})
afterAll(() => demo.stop())

const now = () => new Date()
const day = 24 * 60 * 60 * 1000

type Judged = Partial<{ at: Date; judge: DemoSigners['judge']; policies: PolicyCatalogue; strangers: boolean }>

const forecastOf = (document: Uint8Array, report: ValidationReport, strangers = false): Forecast =>
  officialForecast(document, report, { standIns: strangers ? [] : [demo.root] })

async function ofPdf(pdf: Uint8Array, { at = now(), judge = demo.judge, policies, strangers }: Judged = {}) {
  return forecastOf(pdf, await validatePades(pdf, { judge, now: at, ...(policies && { policies }) }), strangers)
}

async function ofCms(file: Uint8Array, { at = now(), judge = demo.judge }: Judged = {}) {
  return forecastOf(file, await validateCades(file, { judge, now: at }))
}

async function ofXml(xml: Uint8Array | string) {
  const document = Buffer.from(xml)
  return forecastOf(document, await validateXades(document, { judge: demo.judge, now: now() }))
}

const planted = (edit?: (pdf: string) => string, defect?: CmsDefect) =>
  plantedPdf({ signer, timestamps: demo.timestamps }, edit, defect)
const pdfWith = (defect: CmsDefect) => async () => ofPdf(await planted(undefined, defect))
const edited = (from: string | RegExp, to: string) => async () => ofPdf(await planted((pdf) => pdf.replace(from, to)))
const content = Buffer.from('the content')
const cmsWith = (defect: CmsDefect) => async () =>
  ofCms(await craftedCms(digest('sha256', content), signer, 'CAdES', { content, ...defect }))
const xml = '<invoice><item Id="a">10.00</item></invoice>'
const xmlEdited = (from: string | RegExp, to: string) => async () =>
  ofXml((await signXades(Buffer.from(xml), signer, { now: now(), level: 'AD-RB' })).toString().replace(from, to))

const policyOf = (oid: string) => signingPolicies.find((policy) => policy.oid === oid)!
const pdfPolicy = () => selectPolicy({ format: 'PAdES', name: 'AD-RB', now: now() })
const withPolicy = (claimed: { oid: string; hash: Uint8Array; uri: string }) =>
  pdfWith({ attributes: (good) => ({ ...good, policy: policyAttribute(claimed) }) })
const reference = (...fields: Buffer[]) => attribute('signingCertificateV2', sequence(sequence(sequence(...fields))))
const hashOf = ({ certificate }: DigestSigner) => octetString(digest('sha256', certificate.der))

const everyAttack: readonly Attack[] = Object.values(attackClasses).flatMap((variants) => Object.values(variants))

/** A revision of a stranger over a signed document: the catalog is the same, the page is not. */
const attacked = (code: FindingCode) => async () => {
  const attack = everyAttack.find((one) => one.code === code)!
  const sign = (pdf: Uint8Array) => signPades(pdf, signer, { now: now() })
  const document = attack.document ? await attack.document(sign) : contractPdf()
  return ofPdf(attack.tamper(await sign(document)))
}

const issued = (terms: Parameters<DemoSigners['pki']['issuePerson']>[1]) =>
  demo.pki.issuePerson({ name: 'Rita Prado', cpf: '52998224725' }, { key: 'P-256', ...terms })
const issuedAndSigned = async (terms: Parameters<typeof issued>[0], judged: Judged = {}, at = now()) =>
  ofPdf(await signPades(tablePdf(), demo.signerOf(await issued(terms)), { now: at, level: 'AD-RB' }), judged)
const withRevoked = (reason: 'keyCompromise' | 'certificateHold') => async () => {
  const holder = await issued({})
  demo.pki.revoke(holder, { reason })
  return ofPdf(await signPades(tablePdf(), demo.signerOf(holder), { now: now(), level: 'AD-RB' }), {
    judge: demo.freshJudge(),
  })
}
/** Made years ago, judged today. */
const expired = async () => {
  const holder = await issued({ validity: 'expired' })
  const at = new Date(Certificate.read(holder.der).notAfter.getTime() - day)
  return ofPdf(await signPades(tablePdf(), demo.signerOf(holder), { now: at, level: 'B-B' }))
}
const offline = () => createJudge({ anchors: TrustAnchors.of([demo.root]) })
const timestamped = async () =>
  signPades(tablePdf(), signer, { now: now(), level: 'AD-RT', timestamps: demo.timestamps })

/** The rule that is broken, and what has broken it. */
const defects: Partial<Record<RuleName, () => Promise<Forecast>>> = {
  'no-signature': () => ofPdf(tablePdf()),
  'content-changed': async () => {
    const signed = await signPades(tablePdf(), signer, { now: now() })
    return ofPdf(Buffer.from(signed.toString('latin1').replace('/MediaBox [0 0 612', '/MediaBox [0 0 613'), 'latin1'))
  },
  'signature-value': async () => {
    const bytes = await craftedCms(digest('sha256', content), signer, 'CAdES', { content })
    bytes[bytes.length - 3]! ^= 1
    return ofCms(bytes)
  },
  'content-absent': async () => ofCms(await signCades(content, signer, { now: now(), packaging: 'detached' })),
  'duplicate-attribute': cmsWith({
    attributes: (good) => ({ ...good, again: signingTimeAttribute(now()), more: signingTimeAttribute(new Date(0)) }),
  }),
  'content-type-attribute': cmsWith({
    attributes: (good) => ({ ...good, contentType: attribute('contentType', oid('1.2.3.4')) }),
  }),
  'hash-parameters': cmsWith({ digestIdentifier: sequence(oid('2.16.840.1.101.3.4.2.1'), nothing) }),
  'certificate-left-out': cmsWith({ withoutCertificates: true }),
  'signing-certificate-missing': cmsWith({ attributes: (good) => ({ ...good, certificate: undefined }) }),
  'signing-certificate-mismatch': cmsWith({
    attributes: (good) => ({ ...good, certificate: signingCertificateAttribute(other.certificate, 'sha256') }),
  }),
  'signing-certificate-old': cmsWith({
    attributes: (good) => ({
      ...good,
      certificate: attribute(
        'signingCertificate',
        sequence(
          sequence(sequence(octetString(digest('sha1', signer.certificate.der)), issuerSerial(signer.certificate))),
        ),
      ),
    }),
  }),
  'signing-certificate-several': cmsWith({
    attributes: (good) => ({
      ...good,
      certificate: attribute(
        'signingCertificateV2',
        sequence(
          sequence(
            sequence(hashOf(signer), issuerSerial(signer.certificate)),
            sequence(octetString(digest('sha256', signer.chain[0]!.der)), issuerSerial(signer.chain[0]!)),
          ),
        ),
      ),
    }),
  }),
  'issuer-serial-missing': cmsWith({ attributes: (good) => ({ ...good, certificate: reference(hashOf(signer)) }) }),
  'issuer-serial-wrong': cmsWith({
    attributes: (good) => ({ ...good, certificate: reference(hashOf(signer), issuerSerial(other.certificate)) }),
  }),
  'default-hash-encoded': cmsWith({
    attributes: (good) => ({
      ...good,
      certificate: reference(sequence(oid('2.16.840.1.101.3.4.2.1')), hashOf(signer), issuerSerial(signer.certificate)),
    }),
  }),
  'algorithm-outside-policy': async () =>
    ofCms(await craftedCms(digest('sha384', content), signer, 'CAdES', { content, digest: 'sha384' })),
  'signing-time-in-pdf': pdfWith({ attributes: (good) => ({ ...good, time: signingTimeAttribute(now()) }) }),
  'signing-time-implausible': async () =>
    ofPdf(await signPades(tablePdf(), signer, { now: now(), level: 'B-B' }), { at: new Date(Date.now() - 2 * day) }),
  'policy-absent': async () => ofPdf(await signPades(tablePdf(), signer, { now: now() })),
  'policy-unknown': () => withPolicy({ ...pdfPolicy(), oid: '2.16.76.1.7.1.11.9.9' })(),
  'policy-hash-of-file': () => withPolicy({ ...pdfPolicy(), hash: pdfPolicy().fileHash })(),
  'policy-hash': () => withPolicy({ ...pdfPolicy(), hash: Buffer.alloc(32, 7) })(),
  'policy-not-in-force': () => withPolicy(policyOf('2.16.76.1.7.1.13.1'))(),
  'policy-defective': () => withPolicy(policyOf('2.16.76.1.7.1.11.1.2'))(),
  'policy-of-other-format': () => withPolicy(selectPolicy({ format: 'CAdES', name: 'AD-RB', now: now() }))(),
  'policy-address-missing': pdfWith({
    attributes: (good) => ({
      ...good,
      policy: attribute(
        'signaturePolicy',
        sequence(
          oid(pdfPolicy().oid),
          sequence(sequence(oid('2.16.840.1.101.3.4.2.1')), octetString(pdfPolicy().hash)),
        ),
      ),
    }),
  }),
  'policy-requirement': () => withPolicy(selectPolicy({ format: 'PAdES', name: 'AD-RT', now: now() }))(),
  'chain-missing': async () => {
    const holder = demo.holder('under-unknown-root')
    return ofPdf(await signPades(tablePdf(), { ...holder, chain: [] }, { now: now(), level: 'B-B' }), {
      judge: offline(),
    })
  },
  'root-not-icp-brasil': async () => ofPdf(await planted(), { strangers: true }),
  'certificate-expired': expired,
  'certificate-revoked': withRevoked('keyCompromise'),
  'certificate-on-hold': withRevoked('certificateHold'),
  'revocation-unknown': async () => ofPdf(await planted(), { judge: offline() }),
  'certificate-not-for-signing': () => issuedAndSigned({ policy: 'T3' }),
  'company-certificate': () => issuedAndSigned({ policy: 'SE-S' }),
  'holder-unnamed': async () =>
    ofPdf(await signPades(tablePdf(), demo.holder('without-cpf'), { now: now(), level: 'AD-RB' })),
  'certificate-type-missing': () => issuedAndSigned({ policy: 'authority' }),
  'timestamp-of-other-content': async () => {
    const { token } = await demo.timestamps.stamp(Buffer.from('something else'))
    return pdfWith({ unsigned: [attribute('signatureTimestamp', Buffer.from(token))] })()
  },
  'timestamp-authority': async () => ofPdf(await timestamped(), { strangers: true }),
  'counter-signature-policy': async () =>
    cmsWith({
      unsigned: [attribute('counterSignature', await signerInfo(digest('sha256', content), other, 'CAdES', {}))],
    })(),
  'security-store-missing': () => withPolicy(selectPolicy({ format: 'PAdES', name: 'AD-RC', now: now() }))(),
  'policy-artifacts-missing': async () => {
    const options = { now: now(), level: 'AD-RA', timestamps: demo.timestamps, judge: demo.judge } as const
    return ofPdf(await signPades(tablePdf(), signer, options))
  },
  'modification-rule-missing': edited('/TransformMethod /DocMDP', '/TransformMethod /DocMDX'),
  'modification-rule-entries': edited('/V /1.2', '/V /1.1'),
  'modification-permission': edited(/\/P 2/, '/P 3'),
  'modification-rule-later': async () => {
    const params = '/TransformParams <</Type /TransformParams /P 2 /V /1.2>>'
    const second = (pdf: string) => {
      const at = pdf.lastIndexOf('/Location (')
      const rule = `/Reference [<</Type /SigRef /TransformMethod /DocMDP ${params}>>]`
      return pdf.slice(0, at) + inPlace(pdf.slice(at), /\/Location \([^)]*\)/, rule)
    }
    return ofPdf(await plantedPdf({ signer, timestamps: demo.timestamps }, second, {}, await planted()))
  },
  'permissions-in-catalog': async () =>
    ofPdf(await signPades(tablePdf(), signer, { now: now(), level: 'AD-RB', certify: 'form-filling' })),
  'content-inside-pdf-signature': pdfWith({ content }),
  'several-signers-in-pdf': pdfWith({ signers: 0 }),
  'unsigned-attribute-in-pdf': pdfWith({ unsigned: [attribute('archiveHashIndexV3', utf8String('x'))] }),
  'filter-names-mixed': edited('/Adobe.PPKLite', '/PBAD_PAdES   '),
  'sub-filter-unknown': edited('/ETSI.CAdES.detached', '/ETSI.CAdES.attached'),
  'sub-filter-without-policy': edited('/ETSI.CAdES.detached', '/adbe.pkcs7.detached'),
  'byte-range': attacked('pdf.universal-forgery'),
  'changed-after-signing': attacked('pdf.incremental-saving'),
  'structure-malformed': pdfWith({ signers: 0 }),
  'algorithm-weak': edited('/ETSI.CAdES.detached', '/adbe.pkcs7.sha1    '),
  'signing-time-missing': edited('/M (', '/N ('),
  'entry-not-allowed': edited('/Location (', '/Cert     ('),
  'name-of-another': async () =>
    ofPdf(await signPades(tablePdf(), signer, { now: now(), signerName: 'Fulano Beltrano' })),
  'signature-lost': async () => {
    const signed = await signPades(tablePdf(), signer, { now: now() })
    return ofPdf(Buffer.from(signed.toString('latin1').replace('/AcroForm', '/AcroFarm'), 'latin1'))
  },
  'reason-with-policy': edited('/Location (', '/Reason   ('),
  'xml-structure': async () => {
    const signed = await signXades(Buffer.from(xml), signer, { now: now(), target: { id: 'a' } })
    return ofXml(signed.toString().replace('Id="a"', 'Id="b"'))
  },
  'xml-reference-type': xmlEdited(' Type="http://uri.etsi.org/01903#SignedProperties"', ''),
  'xml-mime-type': xmlEdited(/<(\w+:)MimeType>.*?<\/\1MimeType>/, ''),
}

describe('a planted defect', () => {
  test.each(Object.entries(defects))('of %s is named by its rule', async (name, forecast) => {
    const { outcome, reasons } = await forecast()
    expect(reasons.map(({ rule }) => rule)).toContain(name)
    expect(reasons.find(({ rule }) => rule === name)).toMatchObject(forecastRules[name as RuleName])
    expect(outcome).toBe(reasons[0]!.outcome)
  })

  test('is there for every rule but those that tests of other folders break', () => {
    const unplanted = Object.keys(forecastRules).filter((name) => !(name in defects))
    expect(unplanted).toEqual(brokenElsewhere)
  })
})

/** Their findings and reasons are made where those are; which rule each of them breaks is a table, complete by type. */
const brokenElsewhere: readonly RuleName[] = [
  'not-der',
  'algorithm-unknown',
  'key-too-short',
  'policy-list-stale',
  'policy-root',
  'chain-broken',
  'certificate-not-yet-valid',
  'revocation-stale',
  'key-usage',
  'certificate-policy',
  'timestamp-invalid',
  'timestamp-attributes',
  'xml-transform',
  'structure-not-checked',
  'not-valid-here',
]

describe('what the engine signs', () => {
  const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RC'] as const
  test.each(levels)('as PDF at the level %s is approved', async (level) => {
    const options = { now: now(), level, timestamps: demo.timestamps, judge: demo.judge }
    const { outcome, reasons } = await ofPdf(await signPades(tablePdf(), signer, options))
    expect(reasons.filter((reason) => reason.outcome !== 'aprovada')).toEqual([])
    expect(outcome).toBe('aprovada')
  })

  test.each(['B-B', 'AD-RB', 'AD-RT'] as const)('as CMS and XML at the level %s is approved', async (level) => {
    const options = { now: now(), level, timestamps: demo.timestamps }
    expect((await ofCms(await signCades(content, signer, options))).outcome).toBe('aprovada')
    expect((await ofXml(await signXades(Buffer.from(xml), signer, options))).outcome).toBe('aprovada')
  })

  test('is approved with two signatures, too', async () => {
    const options = { now: now(), level: 'AD-RB' } as const
    const { outcome } = await ofPdf(await signPades(await signPades(tablePdf(), signer, options), other, options))
    expect(outcome).toBe('aprovada')
  })
})

describe('the forecast for what is not in memory', () => {
  /** By which bytes, and by which file of any size, one document is forecast. */
  async function both(pdf: Uint8Array, password?: string) {
    const report = await validatePades(pdf, { judge: demo.judge, now: now(), ...(password && { password }) })
    const options = { standIns: [demo.root], ...(password && { password }) }
    const path = join(temporaryFolder(), 'contract.pdf')
    writeFileSync(path, pdf)
    return [officialForecast(pdf, report, options), await officialForecastOfPdf(path, report, options)] as const
  }

  test('breaks the rules about the signatures of a PDF as it does in memory', async () => {
    const signed = await signPades(tablePdf(), signer, { now: now(), permits: 'annotations' })
    const [small, large] = await both(signed)
    expect(large).toEqual(small)
    expect(large.reasons).toContainEqual(expect.objectContaining({ rule: 'modification-permission' }))
    const locked = encryptedPdf(tablePdf(), 'AES-256 (R6)', { user: 'segredo' })
    const [open, sealed] = await both(await signPades(locked, signer, { now: now(), password: 'segredo' }), 'segredo')
    expect(sealed).toEqual(open)
    expect(sealed.outcome).toBe('aprovada')
  })

  test('breaks the rules about the signers of a CMS as it does in memory, with bytes behind it, too', async () => {
    const noType = {
      attributes: (good: object) => ({ ...good, contentType: attribute('contentType', oid('1.2.3.4')) }),
    }
    const cms = await craftedCms(digest('sha256', content), signer, 'CAdES', { content, ...noType })
    for (const file of [cms, Buffer.concat([cms, Buffer.from('strange')])]) {
      const report = await validateCades(file, { judge: demo.judge, now: now() })
      const options = { standIns: [demo.root] }
      const small = officialForecast(file, report, options)
      expect(await officialForecastOfStream(Readable.from([file]), report, options)).toEqual(small)
      expect(small.reasons).toContainEqual(expect.objectContaining({ rule: 'content-type-attribute' }))
    }
  })

  test('is never approval where nothing was looked at', async () => {
    const pdf = await signPades(tablePdf(), signer, { now: now() })
    const report = await validatePades(pdf, { judge: demo.judge, now: now() })
    const { outcome, reasons } = officialForecast(null, report, { standIns: [demo.root] })
    expect(outcome).toBe('indeterminada')
    expect(reasons[0]!.rule).toBe('structure-not-checked')
    const files = [{ name: 'a.txt', content }]
    const container = await signAsic(files, signer, { now: now(), form: 'ASiC-S' })
    expect(forecastOf(container, await validateAsic(container, { judge: demo.judge, now: now() })).outcome).toBe(
      'indeterminada',
    )
    const jws = await signJades(content, signer, { now: now() })
    expect(forecastOf(jws, await validateJades(jws, { judge: demo.judge, now: now() })).outcome).toBe('indeterminada')
  })
})

describe('the forecast as text', () => {
  test.each(['pt-BR', 'en-US'] as const)('names rule, place, source and remedy in %s', async (language) => {
    const forecast = await withRevoked('keyCompromise')()
    const [revoked] = forecast.reasons
    const text = forecastText(forecast, language)
    expect(text).toContain(forecastTexts[language].rules['certificate-revoked'])
    expect(text).toContain(forecastTexts[language].remedies[revoked!.remedy])
    for (const part of ['certificate-revoked', revoked!.source, revoked!.place]) expect(text).toContain(part)
  })

  test('shows no steering character of a stranger’s name', async () => {
    const reason = { ...(await withRevoked('keyCompromise')()).reasons[0]!, signature: 'a\u202eb\n\u001b[2J' }
    const text = forecastText({ outcome: 'reprovada', reasons: [reason] }, 'en-US')
    expect(text.split('\n')).toHaveLength(3)
    for (const steering of ['\u202e', '\u001b']) expect(text).not.toContain(steering)
  })
})
