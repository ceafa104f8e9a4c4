import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { attributeOids } from '../cms/oids.ts'
import { withAttributes } from '../cms/rewrite-signed-data.ts'
import { attributesOf, readSignedData, valuesOf } from '../cms/signed-data.ts'
import { type DemoSigners, digestsOf, keyKinds } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { opensslVerifies } from '../cms/test-support/openssl-cms.ts'
import { signatureAlgorithms } from '../crypto/algorithms.ts'
import { toPem } from '../der/pem.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { selectPolicy } from '../policies/policies.ts'
import { INTACT, underDemoRoot } from '../report/test-support/intact.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { Certificate } from '../x509/certificate.ts'
import {
  type CadesLevel,
  completeCades,
  coSignCades,
  counterSignCades,
  extendCades,
  prepareCades,
  prepareCoSignature,
  prepareCounterSignature,
  signCades,
  validateCades,
} from './index.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const content = Buffer.from('Ata da assembleia geral ordinária.')
const now = () => new Date()
const helpers = () => ({ timestamps: demo.timestamps, judge: demo.judge, now: now() })
const validated = (file: Uint8Array, detached?: Uint8Array) =>
  validateCades(file, { judge: demo.judge, now: now(), ...(detached && { content: detached }) })
const codeOf = (code: string) => expect.objectContaining({ code })
const unsignedIn = (file: Buffer, at = 0) => readSignedData(file).signers[at]!.unsignedAttributes.map(({ oid }) => oid)

describe('a basic signature', () => {
  it.each(keyKinds.flatMap((key) => digestsOf(key).map((digest) => [key, digest] as const)))(
    'with a key of kind %s and %s is valid, attached and detached',
    async (key, digest) => {
      const signer = await demo.signer(key)
      const attached = await signCades(content, signer, { digest, now: now() })
      const detached = await signCades(content, signer, { digest, now: now(), packaging: 'detached' })
      const [inside, beside] = [await validated(attached), await validated(detached, content)]
      for (const report of [inside, beside]) {
        expect(report).toMatchObject({ indication: 'valid', findings: [] })
        expect(report.signatures[0]).toMatchObject({ level: 'B-B', indication: 'valid', findings: [] })
      }
      expect(readSignedData(detached).content).toBeNull()
    },
  )

  it('as PEM has the label PKCS7, and is read back as PEM, under the label CMS and as bare base64', async () => {
    const signer = await demo.signer('P-256')
    const pem = await signCades(content, signer, { encoding: 'PEM', now: now() })
    expect(pem.toString()).toMatch(/^-----BEGIN PKCS7-----\n/)
    const { ok, text } = await opensslVerifies(pem, { roots: demo.pki.trustAnchors(), form: 'PEM' })
    expect(ok, text).toBe(true)
    const der = await signCades(content, signer, { now: now() })
    for (const file of [pem, Buffer.from(toPem('CMS', der)), Buffer.from(der.toString('base64'))]) {
      expect((await validated(file)).indication).toBe('valid')
    }
  })

  it('says who signed, when, and how', async () => {
    const at = now()
    const report = await validated(await signCades(content, await demo.signer(), { now: at }))
    expect(report.signatures[0]).toMatchObject({
      signer: { name: expect.stringMatching(/ANA BEATRIZ SOUZA/i), cpf: '52998224725' },
      claimedTime: new Date(Math.floor(at.getTime() / 1_000) * 1_000),
      provenTime: { by: 'now' },
      algorithm: 'RSA-SHA256',
      integrity: { content: { state: 'passed' }, signature: { state: 'passed' } },
    })
  })

  it('is not made with a certificate that is not valid at the time, unless that is allowed', async () => {
    const expired = demo.holder('expired')
    await expect(signCades(content, expired, { now: now() })).rejects.toThrow(codeOf('cades.certificate-not-valid'))
    const allowed = await signCades(content, expired, { now: now(), allowExpired: true })
    expect(await validated(allowed)).toMatchObject({ signatures: [{ integrity: { signature: { state: 'passed' } } }] })
  })

  it('of a level that needs helpers is refused before the key is used', async () => {
    const signer = { ...(await demo.signer()), sign: () => Promise.reject(new Error('the key was used')) }
    await expect(signCades(content, signer, { level: 'B-T', now: now() })).rejects.toThrow(
      codeOf('cades.timestamps-needed'),
    )
    const timed = { level: 'B-LT', now: now(), timestamps: demo.timestamps } as const
    await expect(signCades(content, signer, timed)).rejects.toThrow(codeOf('cades.judge-needed'))
  })
})

describe('a signature in two phases', () => {
  it.each(keyKinds)('with a key of kind %s survives the way through another process', async (kind) => {
    const signer = await demo.signer(kind)
    const { toSign, digest, algorithm, state } = prepareCades(content, signer.certificate, {
      now: now(),
      chain: signer.chain,
    })
    const secret = Buffer.alloc(32, 1)
    const signature = await signer.sign({ toSign, digest, algorithm })
    const here = completeCades(state, signature)
    const there = completeCades(openState(sealState(state, secret), secret), signature)
    const outside = sealState(state, secret, { document: 'outside' })
    expect(there.equals(here)).toBe(true)
    expect(completeCades(openState(outside, secret, content), signature).equals(here)).toBe(true)
    expect((await validated(here)).indication).toBe('valid')
  })

  it('is refused with a signature of another key or over other bytes', async () => {
    const [ana, bruno] = [demo.holder('ana-souza'), demo.holder('bruno-lima')]
    const { toSign, digest, state } = prepareCades(content, ana.certificate, { now: now() })
    const foreign = await bruno.sign({ toSign, digest, algorithm: signatureAlgorithms['RSA-SHA256'] })
    expect(() => completeCades(state, foreign)).toThrow(codeOf('signing.wrong-signature'))
    expect(() => completeCades(state, Buffer.alloc(256))).toThrow(codeOf('signing.wrong-signature'))
  })
})

describe('levels', () => {
  const unsigned: Record<CadesLevel, (keyof typeof attributeOids)[]> = {
    'B-B': [],
    'B-T': ['signatureTimestamp'],
    'B-LT': ['signatureTimestamp'],
    'B-LTA': ['signatureTimestamp', 'archiveTimestampV3'],
    'AD-RB': [],
    'AD-RT': ['signatureTimestamp'],
    'AD-RV': ['signatureTimestamp', 'certificateRefs', 'revocationRefs', 'referencesTimestamp'],
    'AD-RC': [
      'signatureTimestamp',
      'certificateRefs',
      'revocationRefs',
      'referencesTimestamp',
      'certificateValues',
      'revocationValues',
    ],
    'AD-RA': [
      'signatureTimestamp',
      'certificateRefs',
      'revocationRefs',
      'certificateValues',
      'revocationValues',
      'archiveTimestampV2',
    ],
  }

  it.each(Object.keys(unsigned) as CadesLevel[])(
    '%s is reached, recognised, and its core accepted by openssl',
    async (level) => {
      const file = await signCades(content, await demo.signer(), { level, ...helpers() })
      const [signature] = (await validated(file)).signatures
      expect(signature).toMatchObject({ level, indication: 'valid', findings: underDemoRoot(level) })
      expect(signature!.timestamps.map(({ indication }) => indication)).toEqual(
        signature!.timestamps.map(() => 'valid'),
      )
      expect(unsignedIn(file).toSorted()).toEqual(unsigned[level].map((name) => attributeOids[name]).toSorted())
      const { ok, text } = await opensslVerifies(file, { roots: demo.pki.trustAnchors() })
      expect(ok, text).toBe(true)
    },
  )

  it('of the baseline carry validation data beside the signers, those of ICP-Brasil in attributes', async () => {
    const signer = await demo.signer('P-256')
    const baseline = readSignedData(await signCades(content, signer, { level: 'B-LT', ...helpers() }))
    const complete = readSignedData(await signCades(content, signer, { level: 'AD-RC', ...helpers() }))
    expect(baseline.crls.length + baseline.ocsps.length).toBeGreaterThan(1)
    expect(baseline.version).toBe(5)
    expect(complete.revocationChoices).toEqual([])
    expect(complete.version).toBe(1)
  })

  it.each(['B-LT', 'B-LTA', 'AD-RC', 'AD-RA'] as const)(
    '%s is valid with the network gone, and after the certificate was revoked',
    async (level) => {
      const issued = await demo.pki.issuePerson({ name: 'Rui Barbosa', cpf: '52998224725' }, { key: 'P-256' })
      const file = await signCades(content, demo.signerOf(issued), { level, ...helpers() })
      const offline = createJudge({ anchors: TrustAnchors.of([demo.root]) })
      const reached = { level, indication: 'valid', provenTime: { by: 'timestamp' } }
      expect((await validateCades(file, { judge: offline, now: now() })).signatures[0]).toMatchObject(reached)
      demo.pki.revoke(issued, { reason: 'superseded' })
      const { revocation, indication } = await demo.freshJudge().certificate(Certificate.read(issued.der), {
        at: now(),
        now: now(),
      })
      expect([indication, revocation[0]?.state]).toEqual(['invalid', 'revoked'])
      const online = await validateCades(file, { judge: demo.freshJudge(), now: now() })
      expect(online.signatures[0]).toMatchObject(reached)
    },
  )

  it('with a policy name the policy and its inner hash', async () => {
    const signer = await demo.signer('P-256')
    const [{ policy } = {}] = (await validated(await signCades(content, signer, { level: 'AD-RT', ...helpers() })))
      .signatures
    const expected = selectPolicy({ format: 'CAdES', name: 'AD-RT', root: demo.root, now: now() })
    expect(policy).toMatchObject({ oid: expected.oid, uri: expected.uri, hashMatches: true, status: 'current' })
  })

  it('are added one by one to a file that exists', async () => {
    let file = await signCades(content, await demo.signer('P-256'), { now: now(), packaging: 'detached' })
    for (const level of ['B-T', 'B-LT', 'B-LTA'] as const) {
      file = await extendCades(file, { level, ...helpers() })
      expect((await validated(file, content)).signatures[0]).toMatchObject({ level, indication: 'valid' })
    }
  })

  it('of a detached AD-RA need the content', async () => {
    const options = { level: 'AD-RA', ...helpers() } as const
    const file = await signCades(content, await demo.signer('P-256'), { ...options, packaging: 'detached' })
    expect((await validated(file, content)).signatures[0]).toMatchObject({ level: 'AD-RA', indication: 'valid' })
    await expect(extendCades(file, options)).rejects.toThrow(codeOf('cades.content-needed'))
  })

  it('do not mix: no other form than the policy that was signed, no baseline over references', async () => {
    const signer = await demo.signer('P-256')
    const basic = await signCades(content, signer, { level: 'AD-RB', now: now() })
    await expect(extendCades(basic, { level: 'AD-RT', ...helpers() })).rejects.toThrow(codeOf('cades.policy-differs'))
    const plain = await signCades(content, signer, { now: now() })
    await expect(extendCades(plain, { level: 'AD-RT', ...helpers() })).rejects.toThrow(codeOf('cades.policy-missing'))
    const classic = await signCades(content, signer, { level: 'AD-RV', ...helpers() })
    await expect(extendCades(classic, { level: 'B-LT', ...helpers() })).rejects.toThrow(codeOf('cades.track-differs'))
  })

  it('are not reached without a timestamp authority, and say so', async () => {
    demo.faults.set('tsa', { kind: 'http-500', times: 1 })
    const attempt = signCades(content, await demo.signer('P-256'), { level: 'B-T', ...helpers() })
    await expect(attempt).rejects.toThrow(codeOf('timestamp.unavailable'))
  })
})

describe('a co-signature', () => {
  it('leaves the first signature byte for byte as it was, and both are valid', async () => {
    const first = await signCades(content, demo.holder('ana-souza'), { level: 'AD-RB', now: now() })
    const both = await coSignCades(first, demo.holder('bruno-lima'), { digest: 'sha512', level: 'AD-RT', ...helpers() })
    const [before] = readSignedData(first).signers
    const after = readSignedData(both)
    expect(after.signers).toHaveLength(2)
    expect(after.signers.some(({ raw }) => raw.equals(before!.raw))).toBe(true)
    expect(after.digestAlgorithms).toHaveLength(2)
    const report = await validated(both)
    expect(report.indication).toBe('valid')
    expect(report.signatures.map(({ level }) => level).toSorted()).toEqual(['AD-RB', 'AD-RT'])
    const { ok, text } = await opensslVerifies(both, { roots: demo.pki.trustAnchors() })
    expect(ok, text).toBe(true)
  })

  it('on a detached signature needs the content only for another digest', async () => {
    const options = { now: now(), packaging: 'detached' } as const
    const first = await signCades(content, demo.holder('ana-souza'), options)
    const same = await coSignCades(first, demo.holder('bruno-lima'), { now: now() })
    expect((await validated(same, content)).indication).toBe('valid')
    const wider = { digest: 'sha512', now: now() } as const
    await expect(coSignCades(first, demo.holder('bruno-lima'), wider)).rejects.toThrow(codeOf('cades.content-needed'))
    const other = await coSignCades(first, demo.holder('bruno-lima'), { ...wider, content })
    expect((await validated(other, content)).indication).toBe('valid')
  })

  it('on a detached signature takes the digest of content that stays elsewhere, if it is the same', async () => {
    const first = await signCades(content, demo.holder('ana-souza'), { now: now(), packaging: 'detached' })
    const sha512 = createHash('sha512').update(content).digest()
    const wider = { digest: 'sha512', now: now(), contentDigest: sha512 } as const
    const other = await coSignCades(first, demo.holder('bruno-lima'), wider)
    expect((await validated(other, content)).indication).toBe('valid')
    const wrong = { now: now(), contentDigest: Buffer.alloc(32) }
    const { certificate } = demo.holder('bruno-lima')
    expect(() => prepareCoSignature(first, certificate, wrong)).toThrow(codeOf('cades.content-changed'))
  })

  it('over other content is refused', async () => {
    const first = await signCades(content, demo.holder('ana-souza'), { now: now(), packaging: 'detached' })
    const { certificate } = demo.holder('bruno-lima')
    const options = { now: now(), content: Buffer.from('something else') }
    expect(() => prepareCoSignature(first, certificate, options)).toThrow(codeOf('cades.content-changed'))
  })

  it('beside an archived AD-RA is refused, because its certificates are closed', async () => {
    const archived = await signCades(content, demo.holder('ana-souza'), { level: 'AD-RA', ...helpers() })
    await expect(coSignCades(archived, demo.holder('davi-moreira'), { now: now() })).rejects.toThrow(
      codeOf('cades.closed'),
    )
  })
})

describe('a counter-signature', () => {
  it('confirms a signature, names no policy and no content type, and openssl still accepts the file', async () => {
    const first = await signCades(content, demo.holder('ana-souza'), { level: 'AD-RB', now: now() })
    const confirmed = await counterSignCades(first, demo.holder('davi-moreira'), { now: now() })
    const report = await validated(confirmed)
    const [counter] = report.signatures[0]!.counterSignatures
    expect(report.indication).toBe('valid')
    expect(counter).toMatchObject({ kind: 'counter-signature', indication: 'valid', policy: null })
    expect(counter?.signer?.name).toMatch(/DAVI MOREIRA/i)
    const { ok, text } = await opensslVerifies(confirmed, { roots: demo.pki.trustAnchors() })
    expect(ok, text).toBe(true)
  })

  it('can itself be confirmed by whoever reads it: it stands beside others on the same signature', async () => {
    const first = await signCades(content, demo.holder('ana-souza'), { now: now() })
    const once = await counterSignCades(first, demo.holder('davi-moreira'), { now: now() })
    const twice = await counterSignCades(once, demo.holder('bruno-lima'), { now: now() })
    const [signature] = (await validated(twice)).signatures
    expect(signature!.counterSignatures.map(({ indication }) => indication)).toEqual(['valid', 'valid'])
  })

  it('that does not fit its signature is reported, without harm to the signature it was put on', async () => {
    const options = { now: now() }
    const [one, other] = [
      await signCades(content, demo.holder('ana-souza'), options),
      await signCades(Buffer.from('another'), demo.holder('ana-souza'), options),
    ]
    const confirmed = await counterSignCades(one, demo.holder('davi-moreira'), options)
    const { signers } = readSignedData(confirmed)
    const [moved] = attributesOf(signers[0]!.unsignedAttributes, attributeOids.counterSignature)
    const report = await validated(withAttributes(readSignedData(other), 0, moved!.raw))
    expect(report.signatures[0]!.counterSignatures[0]!.indication).not.toBe('valid')
    expect(report.signatures[0]!.integrity).toEqual(INTACT)
  })

  it('is refused once an archive timestamp covers the signature, or where there is none', async () => {
    const archived = await signCades(content, demo.holder('ana-souza'), { level: 'B-LTA', ...helpers() })
    const { certificate } = demo.holder('davi-moreira')
    expect(() => prepareCounterSignature(archived, certificate, { now: now() })).toThrow(codeOf('cades.archived'))
    const basic = await signCades(content, demo.holder('ana-souza'), { now: now() })
    const missing = () => prepareCounterSignature(basic, certificate, { now: now(), signer: 5 })
    expect(missing).toThrow(codeOf('cms.no-such-signer'))
  })
})

it('an extended signature keeps the signed part of every signer', async () => {
  const first = await signCades(content, demo.holder('ana-souza'), { now: now() })
  const both = await coSignCades(first, demo.holder('davi-moreira'), { now: now() })
  const extended = await extendCades(both, { level: 'B-LTA', ...helpers() })
  const parts = (file: Buffer) => readSignedData(file).signers.map(({ signedPart }) => signedPart.toString('hex'))
  expect(parts(extended).toSorted()).toEqual(parts(both).toSorted())
  const { signatures } = await validated(extended)
  expect(signatures.map(({ level, indication }) => [level, indication])).toEqual([
    ['B-LTA', 'valid'],
    ['B-LTA', 'valid'],
  ])
  expect(
    valuesOf(readSignedData(extended).signers[0]!.unsignedAttributes, attributeOids.archiveTimestampV3),
  ).toHaveLength(1)
})
