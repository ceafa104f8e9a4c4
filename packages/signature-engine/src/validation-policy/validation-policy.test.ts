import { beforeAll, describe, expect, test } from 'vitest'
import { signCades } from '../cades/index.ts'
import { type DemoSigners, keyKinds } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { signPades } from '../pades/index.ts'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import { reportText, reportToJson } from '../report/index.ts'
import { type FindingCode, findingSeverities } from '../report/report.ts'
import { generalPolicy, icpBrasilPolicy, readValidationPolicy, type ValidationPolicy, verify } from '../verify/index.ts'
import { signXades } from '../xades/index.ts'

let demo: DemoSigners
let now: Date
beforeAll(async () => {
  demo = await demoSignersOfToday()
  now = new Date()
})

const content = Buffer.from('Ata da assembleia geral ordinária.')
const terms = () => ({ now, timestamps: demo.timestamps, judge: demo.judge })
const judged = (file: Uint8Array, policy?: ValidationPolicy) =>
  verify(file, { judge: demo.judge, now, ...(policy && { policy }) })
const named = (fields: object) => readValidationPolicy({ name: 'house', ...fields })
const codesOf = ({ signatures }: Awaited<ReturnType<typeof judged>>) => signatures[0]!.findings.map(({ code }) => code)

describe('two policies and one file', () => {
  test.each<[string, object, FindingCode]>([
    ['longer keys', { keys: { rsa: [{ bits: 3072, until: null }] } }, 'key-too-short'],
    ['no keys of its kind', { keys: { ec: [{ bits: 256, until: null }] } }, 'key-too-short'],
    ['another digest', { digests: { sha512: null } }, 'algorithm-weak'],
    ['a digest of before', { digests: { sha256: '2020-01-01', sha512: null } }, 'algorithm-weak'],
    ['another algorithm', { algorithms: ['ECDSA'] }, 'algorithm-weak'],
    ['a higher level', { levels: ['B-T', 'B-LT', 'B-LTA'] }, 'validation-policy-unmet'],
    ['a signature policy', { signaturePolicies: ['2.16.76.1.7.1'] }, 'validation-policy-unmet'],
    ['a timestamp', { timestamps: { required: true } }, 'validation-policy-unmet'],
    ['what is only a warning', { findings: { 'signing-time-implausible': 'error' } }, 'signing-time-implausible'],
  ])('differ where one wants %s', async (_what, fields, code) => {
    // A claimed time long ago is a warning of its own.
    const early = new Date(demo.holder('ana-souza').certificate.notBefore.getTime() - 86_400_000)
    const isLate = code === 'signing-time-implausible'
    const signingTime = isLate ? { now: early, allowExpired: true } : { now }
    const file = await signCades(content, demo.holder('ana-souza'), signingTime)
    expect((await judged(file)).indication).toBe('valid')
    const report = await judged(file, named(fields))
    if (isLate)
      expect(report.signatures[0]!.findings).toContainEqual(expect.objectContaining({ code, severity: 'error' }))
    else expect(report.indication).toBe('indeterminate')
    expect(codesOf(report)).toContain(code)
    expect(report.validationPolicy).toBe('house')
  })

  test('are told of certificates, too: a hash of theirs, and how old what is known of them is', async () => {
    const file = await signPades(tablePdf(), demo.holder('ana-souza'), { ...terms(), level: 'B-B' })
    // Asked of an hour later: what is known is then an hour old, however fast this machine is.
    const later = new Date(now.getTime() + 3_600_000)
    const reasons = async (fields: object) => {
      const { signatures } = await verify(file, { judge: demo.judge, now: later, policy: named(fields) })
      return signatures[0]!.certificate!.reasons.map(({ code }) => code)
    }
    expect(await reasons({})).toEqual([])
    expect(await reasons({ digests: { sha256: null } })).toContain('algorithm.weak')
    expect(await reasons({ revocation: { maximumAgeHours: 0.5 } })).toContain('revocation.stale')
    expect(await reasons({ revocation: { maximumAgeHours: 10_000 } })).toEqual([])
  })

  test('differ for signatures of ICP-Brasil and others', async () => {
    const [plain, icp] = await Promise.all(
      (['B-B', 'AD-RB'] as const).map((level) =>
        signXades(Buffer.from('<a/>'), demo.holder('ana-souza'), { ...terms(), level }),
      ),
    )
    expect((await judged(plain!, icpBrasilPolicy)).indication).toBe('indeterminate')
    const one = await judged(icp!, icpBrasilPolicy)
    expect(codesOf(one)).not.toContain('validation-policy-unmet')
    expect(one.indication).toBe((await judged(icp!)).indication)
  })
})

test.each(keyKinds)('the general policy says what is said without one, for a key of kind %s', async (kind) => {
  const signer = await demo.signer(kind)
  const files = [
    await signCades(content, signer, { now }),
    await signPades(tablePdf(), signer, { ...terms(), level: 'B-T' }),
  ]
  const altered = files.map((file) => Buffer.from(file).map((byte, at) => (at === file.length >> 1 ? byte ^ 1 : byte)))
  for (const file of [...files, ...altered]) {
    const { validationPolicy: _, ...report } = await judged(file, generalPolicy).catch((error) => error)
    const usual = await judged(file).catch((error) => error)
    if (!('signatures' in usual)) continue
    const told = ({ indication, signatures }: typeof usual) => [
      indication,
      ...signatures.map((one: (typeof usual)['signatures'][0]) => [one.indication, one.subIndication]),
    ]
    expect(told(report)).toEqual(told(usual))
  }
})

describe('what is broken', () => {
  const lenient: ValidationPolicy = {
    ...generalPolicy,
    findings: Object.fromEntries(Object.keys(findingSeverities).map((code) => [code, 'ignored'])),
  }

  test('is valid under no policy, not even one that ignores everything', async () => {
    const signed = await signCades(content, demo.holder('ana-souza'), { now })
    const pdf = await signPades(tablePdf(), demo.holder('ana-souza'), { now })
    const changed = (file: Buffer, at: number) => {
      const copy = Buffer.from(file)
      copy[at]! ^= 1
      return copy
    }
    const broken = [
      changed(signed, signed.indexOf(content) + 3),
      changed(signed, signed.length - 9),
      changed(pdf, pdf.indexOf('endobj') - 8),
    ]
    for (const file of broken) {
      const report = await judged(file, lenient)
      expect(report.indication).toBe((await judged(file)).indication)
      expect(report.indication).not.toBe('valid')
    }
    // Anywhere: what cannot be read makes no signature better, either.
    const usual: string[] = []
    const ignored: string[] = []
    for (let at = 20; at < pdf.length; at += Math.floor(pdf.length / 60)) {
      const [one, other] = [await judged(changed(pdf, at)), await judged(changed(pdf, at), lenient)]
      usual.push(one.indication, ...one.signatures.map(({ indication }) => indication))
      ignored.push(other.indication, ...other.signatures.map(({ indication }) => indication))
    }
    expect(ignored).toEqual(usual)
    expect(usual).toContain('invalid')
    const detached = await signCades(content, demo.holder('ana-souza'), { now, packaging: 'detached' })
    expect((await judged(detached, lenient)).indication).toBe('indeterminate')
  })

  test.each(['content-changed', 'signature-wrong', 'content-missing', 'pdf.shadow-hide', 'algorithm-unknown'])(
    'is not to be called harmless by a file: %s',
    (code) => {
      for (const effect of ['warning', 'ignored'])
        expect(() => named({ findings: { [code]: effect } })).toThrow(
          expect.objectContaining({ code: 'validation-policy.protected-finding', details: { code, effect } }),
        )
      expect(named({ findings: { [code]: 'error' } }).findings).toEqual({ [code]: 'error' })
    },
  )
})

describe('a policy as JSON', () => {
  test.each([generalPolicy, icpBrasilPolicy])('is written and read', (policy) => {
    expect(readValidationPolicy(JSON.parse(JSON.stringify(policy)))).toEqual(policy)
  })

  test.each<[object, string, string]>([
    [{ colour: 'red' }, 'unknown-field', 'colour'],
    [{ digests: { md5: null } }, 'unknown-field', 'digests.md5'],
    [{ findings: { 'no-such': 'error' } }, 'unknown-field', 'findings.no-such'],
    [{ keys: { rsa: [{ bits: 2048, until: null, why: 1 }] } }, 'unknown-field', 'keys.rsa[0].why'],
    [{ keys: { rsa: [{ bits: '2048', until: null }] } }, 'wrong-field', 'keys.rsa[0].bits'],
    [{ keys: { rsa: [{ bits: 2048 }] } }, 'wrong-field', 'keys.rsa[0]'],
    [{ digests: { sha1: 'tomorrow' } }, 'wrong-field', 'digests.sha1'],
    [{ levels: ['B-X'] }, 'wrong-field', 'levels[0]'],
    [{ signaturePolicies: ['x'] }, 'wrong-field', 'signaturePolicies[0]'],
    [{ algorithms: 'RSA' }, 'wrong-field', 'algorithms'],
    [{ revocation: { maximumAgeHours: -1 } }, 'wrong-field', 'revocation.maximumAgeHours'],
    [{ timestamps: { required: 'yes' } }, 'wrong-field', 'timestamps.required'],
    [{ findings: { 'algorithm-weak': 'fatal' } }, 'wrong-field', 'findings.algorithm-weak'],
    [{ name: '' }, 'wrong-field', 'name'],
  ])('with %j is refused by the name of its field', (fields, what, field) => {
    const refusal = { code: `validation-policy.${what}`, details: expect.objectContaining({ field }) }
    expect(() => named(fields)).toThrow(expect.objectContaining(refusal))
  })

  test.each([null, 1, [], 'x'])('that is %j is refused', (json) => {
    expect(() => readValidationPolicy(json)).toThrow(expect.objectContaining({ code: 'validation-policy.wrong-field' }))
  })

  test('is named in the report, as text and as JSON', async () => {
    const file = await signCades(content, demo.holder('ana-souza'), { now })
    const report = await judged(file, named({}))
    expect(reportToJson(report).validationPolicy).toBe('house')
    expect(reportText(report, 'en-US')).toContain('house')
  })
})
