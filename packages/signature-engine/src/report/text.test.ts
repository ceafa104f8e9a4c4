import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CertificateVerdict, certificateReasons, type RevocationStatus } from '../judgement/verdict.ts'
import { Certificate } from '../x509/certificate.ts'
import { signerReport } from '../x509/signer-report.ts'
import { passed } from './check.ts'
import {
  type Finding,
  type FindingCode,
  finding,
  findingSeverities,
  findingText,
  reportText,
  reportToJson,
  type SignatureReport,
  signatureRows,
  type ValidationReport,
} from './index.ts'
import { INTACT } from './test-support/intact.ts'
import { reportTexts } from './text.ts'

const noon = new Date('2026-11-15T15:00:00Z')
let path: Certificate[]
let maria: Certificate

beforeAll(async () => {
  const pki = await createDemoPki({ keys: cachedKeys(), clock: () => noon, baseUrl: 'http://localhost' })
  const issued = await pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' })
  path = [issued, ...pki.chainOf(issued)].map(({ der }) => Certificate.read(der))
  path = [...new Set(path)]
  maria = path[0]!
})

describe('the texts', () => {
  const languages = Object.entries(reportTexts)

  test.each(languages)('of %s have words for every finding and every reason', (_, texts) => {
    expect(Object.keys(texts.findings).sort()).toEqual(Object.keys(findingSeverities).sort())
    expect(Object.keys(texts.reasons).sort()).toEqual(Object.keys(certificateReasons).sort())
    for (const text of leaves(texts)) expect(text.trim()).not.toBe('')
  })

  test('are different in each language, code by code', () => {
    const { 'pt-BR': portuguese, 'en-US': english } = reportTexts
    for (const code of Object.keys(findingSeverities) as FindingCode[])
      expect(portuguese.findings[code]).not.toBe(english.findings[code])
  })

  test('say a detail where they have a place for it, and lose none', () => {
    const weak = finding('algorithm-weak', { algorithm: 'SHA-1', attribute: 'messageDigest' })
    expect(findingText(weak, 'en-US')).toBe('An algorithm in use is no longer safe (SHA-1). [attribute: messageDigest]')
    expect(findingText(finding('algorithm-weak'), 'en-US')).toBe('An algorithm in use is no longer safe.')
  })
})

describe('a report for people', () => {
  test('says the level of a signature, and of a document timestamp none', () => {
    const labelsOf = (changes: Partial<SignatureReport>) =>
      signatureRows(signature(changes), 'en-US').map(({ label }) => label)
    expect(labelsOf({})).toContain('Level')
    expect(labelsOf({ kind: 'document-timestamp' })).not.toContain('Level')
  })

  test('is the same label by label, for whoever lays it out', () => {
    for (const language of ['pt-BR', 'en-US'] as const) {
      const text = reportText(reportOf(signature()), language)
      const rows = signatureRows(signature(), language)
      expect(rows.map(({ label }) => label)).toContain(reportTexts[language].labels.trust)
      expect(rows.flatMap(({ label, lines }) => [label, ...lines]).filter((said) => !text.includes(said))).toEqual([])
    }
  })

  test('begins with the verdict and says who, when and whether to trust it', () => {
    const text = reportText(reportOf(signature()), 'pt-BR')
    expect(text.split('\n')[0]).toBe('✔ Assinatura válida')
    expect(text).toContain('MARIA DA SILVA')
    expect(text).toContain('CPF 529.982.247-25')
    expect(text).toMatch(/15\/11\/2026,? 12:00:00 BRT|15\/11\/2026,? 12:00:00 GMT-3/)
    expect(text).toContain('provado por carimbo do tempo')
    expect(text).toContain('Sim. O conteúdo está íntegro')
    expect(text).toContain('→ AC Raiz Demo v1')
  })

  test('tells a claimed time from a proven one, in the zone that is asked for', () => {
    const claimed = signature({ claimedTime: noon, provenTime: { time: noon, by: 'now' }, timestamps: [] })
    const text = reportText(reportOf(claimed), 'en-US', { timeZone: 'UTC' })
    expect(text).toMatch(/11\/15\/2026, 03:00:00.PM UTC, as the signer claims \(not proven\)/)
  })

  test('says which revision of a PDF a signature covers, and what came later', () => {
    const first = signature({
      coverage: {
        wholeDocument: false,
        description: 'revision 1 of 2, bytes 0 to 900',
        revision: { number: 1, of: 2 },
        laterChanges: [{ revision: 2, kind: 'signature', permitted: true, description: 'Signature2 is added' }],
      },
    })
    const text = reportText(reportOf(first), 'pt-BR')
    expect(text).toContain('a assinatura cobre a revisão 1 de 2')
    expect(text).toMatch(/revisão 2: outra assinatura \(permitido\)/)
  })

  test('tells "revocation unknown" from "revoked"', () => {
    const unknown = withVerdict('indeterminate', 'revocation.unknown', { state: 'unknown', problem: 'no answer' })
    expect(reportText(reportOf(unknown), 'pt-BR')).toContain('revogação desconhecida (no answer)')
    expect(reportText(reportOf(unknown), 'pt-BR')).not.toContain('REVOGADO')
    const revoked = withVerdict('invalid', 'revocation.revoked', { state: 'revoked', revokedAt: noon })
    const text = reportText(reportOf(revoked), 'pt-BR')
    expect(text).toContain('✘ Assinatura inválida')
    expect(text).toMatch(/REVOGADO em 15\/11\/2026/)
    expect(text).toContain('O certificado de MARIA DA SILVA')
  })

  test('says in words why a signature is not to be trusted, and what came after it', () => {
    const broken = signature({
      indication: 'invalid',
      integrity: { ...INTACT, content: { state: 'failed' } },
      findings: [finding('content-changed'), finding('pdf.pages-changed')],
      coverage: {
        wholeDocument: false,
        description: 'bytes 0 to 900',
        laterChanges: [{ revision: 2, kind: 'pages', permitted: false, description: 'page 2 was added' }],
      },
    })
    const text = reportText(reportOf(broken), 'en-US')
    expect(text).toContain('The content was changed after it was signed.')
    expect(text).toContain('revision 2: pages added, removed or replaced (NOT permitted)')
    expect(text).not.toContain('Yes.')
  })

  test('counts several signatures and shows counter-signatures below theirs', () => {
    const counter = signature({ kind: 'counter-signature', name: 'counter 1' })
    const report = reportOf(signature({ counterSignatures: [counter] }), signature())
    const text = reportText(report, 'en-US')
    expect(text).toContain('All signatures are valid')
    expect(text).toContain('Signature 2 of 2')
    expect(text).toMatch(/^ {4}Counter-signature 1 of 1: valid/m)
  })

  test('says so when there is no signature', () => {
    const report = { ...reportOf(), indication: 'indeterminate', findings: [finding('no-signature')] } as const
    expect(reportText(report, 'pt-BR')).toContain('? Documento sem assinatura')
  })

  test('keeps a forged name from writing lines or moving the cursor', () => {
    const signer = { ...signerReport(maria), name: 'EVE\n✔ Assinatura válida\u001b[2J\u202e' }
    const text = reportText(reportOf(signature({ signer, name: 'a\nb' })), 'pt-BR')
    for (const intruder of ['\u001b', '\u202e']) expect(text).not.toContain(intruder)
    expect(text.split('\n').filter((line) => line.startsWith('✔'))).toHaveLength(1)
  })
})

describe('a report for programs', () => {
  test('is plain JSON: times in ISO 8601, certificates by what identifies them, evidence by digest', () => {
    const judged = withVerdict('invalid', 'revocation.revoked', { state: 'revoked', evidence: Buffer.from('crl') })
    const json = reportToJson(reportOf(judged))
    expect(JSON.parse(JSON.stringify(json))).toEqual(json)
    expect(json).toMatchObject({
      format: 'CAdES',
      judgedAt: '2026-11-15T15:00:00.000Z',
      signatures: [
        {
          signer: { name: 'MARIA DA SILVA', certificate: { fingerprint: maria.fingerprint } },
          certificate: { revocation: [{ state: 'revoked', evidence: { bytes: 3 } }], path: [{}, {}, {}, {}] },
        },
      ],
    })
    expect(JSON.stringify(json)).not.toContain('"der"')
  })
})

function reportOf(...signatures: SignatureReport[]): ValidationReport {
  const indication = signatures.find((one) => one.indication !== 'valid')?.indication ?? 'valid'
  return { format: 'CAdES', indication, judgedAt: noon, signatures, findings: [] }
}

function signature(changes: Partial<SignatureReport> = {}): SignatureReport {
  return {
    format: 'CAdES',
    kind: 'signature',
    name: '1',
    indication: 'valid',
    mainIndication: 'TOTAL-PASSED',
    subIndication: null,
    signer: signerReport(maria),
    claimedTime: null,
    provenTime: { time: noon, by: 'timestamp' },
    level: 'B-T',
    policy: { oid: '2.16.76.1.7.1.1.2.4', name: 'AD-RB 2.4 (CAdES)', uri: null, hashMatches: true, status: 'current' },
    algorithm: 'RSA-SHA256',
    integrity: INTACT,
    coverage: { wholeDocument: true, description: 'attached content' },
    certificate: verdict(),
    timestamps: [timestamp],
    counterSignatures: [],
    findings: [] as Finding[],
    ...changes,
  }
}

const timestamp = {
  kind: 'signature',
  indication: 'valid',
  mainIndication: 'PASSED',
  subIndication: null,
  time: noon,
  authority: 'Servidor de Carimbo do Tempo Demo',
  policy: '2.16.76.1.6.2',
  imprint: passed,
  signature: passed,
  certificateBinding: passed,
  certificate: null,
  findings: [],
} as const

function verdict(changes: Partial<CertificateVerdict> = {}): CertificateVerdict {
  return {
    indication: 'valid',
    reasons: [],
    at: noon,
    path,
    anchor: path.at(-1)!,
    policies: [],
    revocation: [],
    ...changes,
  }
}

function withVerdict(
  indication: 'invalid' | 'indeterminate',
  code: 'revocation.revoked' | 'revocation.unknown',
  status: Partial<RevocationStatus>,
): SignatureReport {
  const revocation: RevocationStatus = {
    certificate: maria,
    state: 'good',
    source: null,
    url: null,
    producedAt: null,
    nextUpdate: null,
    revokedAt: null,
    reason: null,
    evidence: null,
    problem: null,
    ...status,
  }
  const reasons = [{ code, certificate: maria }]
  return signature({ indication, certificate: verdict({ indication, reasons, revocation: [revocation] }) })
}

function leaves(texts: object): string[] {
  return Object.values(texts).flatMap((value) => (typeof value === 'string' ? [value] : leaves(value as object)))
}
