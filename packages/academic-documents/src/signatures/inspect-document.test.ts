import assert from 'node:assert/strict'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import { type SignXadesOptions, signXades } from '@chancela/signature-engine/xades'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  documentProblems,
  type InspectOptions,
  inspectDocument,
  type ProblemCode,
  type StepName,
  signaturePlans,
} from './index.ts'
import { readDocument } from './read-document.ts'
import { type RegistryWorld, registryWorld } from './test-support/registry-world.ts'
import * as samples from './test-support/samples.ts'

let world: RegistryWorld
let documentation: Buffer
let degree: Buffer
beforeAll(async () => {
  world = await registryWorld()
  documentation = await world.closedDocumentation()
  degree = await world.closedDegree(documentation)
})

const inspect = (bytes: Uint8Array, options: Partial<InspectOptions> = {}) =>
  inspectDocument(bytes, { judge: world.judge, now: world.clock(), ...options })

/** Codes of what refuses the document or leaves it open. */
const codes = async (bytes: Uint8Array, options: Partial<InspectOptions> = {}) => {
  const { problems } = await inspect(bytes, options)
  return [...new Set(problems.filter(({ severity }) => severity !== 'notice').map(({ code }) => code))]
}

const refusedBecause = async (bytes: Uint8Array, code: ProblemCode, options: Partial<InspectOptions> = {}) => {
  const { verdict, problems } = await inspect(bytes, options)
  expect(problems.map((one) => one.code)).toContain(code)
  expect(verdict).toBe('refused')
}

const changed = (bytes: Uint8Array, from: string | RegExp, to: string | ((found: string) => string)): Buffer => {
  const text = Buffer.from(bytes).toString('utf8')
  const result = text.replace(from, typeof to === 'string' ? () => to : to)
  assert.notEqual(result, text)
  return Buffer.from(result)
}

/** Signatures as texts, in document order, and the document with each at the place of another. */
const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/gs
const rearranged = (bytes: Uint8Array, order: (all: string[]) => string[]): Buffer => {
  const text = Buffer.from(bytes).toString('utf8')
  const put = order(text.match(SIGNATURE)!)
  let at = 0
  return Buffer.from(text.replace(SIGNATURE, () => put[at++]!))
}

/** Signs a step as a tool would that does not know our rules. */
const signedAnyhow = async (
  bytes: Uint8Array,
  step: StepName,
  signer: DigestSigner,
  more: Partial<SignXadesOptions> = {},
) => {
  const { kind, index, nodes } = readDocument(bytes)
  const { node, level, covers } = signaturePlans[kind].find(({ name }) => name === step)!
  const id = index.attribute(nodes[node]!, 'id')
  world.clock.advance(60_000)
  return signXades(bytes, signer, {
    ...world.helpers(),
    level,
    parallel: covers === 'content',
    position: { at: 'last-child', of: { ordinal: nodes[node]! } },
    ...(id !== undefined && node !== 'document' && { target: { id } }),
    ...more,
  })
}

/** An academic documentation closed by the rules but for what one step does. */
const documentationWhere = async (one: StepName, sign: (bytes: Buffer) => Promise<Buffer>, terms = {}) => {
  let bytes: Buffer = samples.academicDocumentation({ ...world.terms, ...terms })
  const usual = { issuerPeople: world.dean, issuerInstitution: world.issuer, issuerArchive: world.issuer }
  for (const [step, signer] of Object.entries(usual) as [StepName, DigestSigner][])
    bytes = step === one ? await sign(bytes) : await signedAnyhow(bytes, step, signer)
  return bytes
}

describe('a good document', () => {
  test('is accepted, whatever its kind, with its signatures by step', async () => {
    const report = await inspect(documentation, { kind: 'academicDocumentation' })
    expect(report.problems.filter(({ severity }) => severity !== 'notice')).toEqual([])
    expect(report).toMatchObject({ verdict: 'accepted', version: '1.05', date: '2026-02-20' })
    expect(report.problems.map(({ code }) => code)).toContain('not-production')
    expect(report.signatures.map(({ step, level }) => [step, level])).toEqual([
      ['issuerPeople', 'AD-RC'],
      ['issuerPeople', 'AD-RC'],
      ['issuerInstitution', 'AD-RC'],
      ['issuerArchive', 'AD-RA'],
    ])
  })

  test('is the degree that carries what was sent', async () => {
    const report = await inspect(degree, { sent: documentation, kind: 'degree' })
    expect([report.verdict, report.signatures.length]).toEqual(['accepted', 5])
  })

  test.each(['academicTranscript', 'curriculum', 'cancellationList', 'inspectionFile'] as const)(
    'of kind %s',
    async (kind) => {
      let bytes: Buffer = samples.unsignedDocuments[kind](world.terms)
      const closer = kind === 'cancellationList' ? world.registrar : world.issuer
      for (const { certificate } of signaturePlans[kind])
        bytes = await world.sign(bytes, certificate === 'eCpf' ? world.clerk : closer)
      expect(await codes(bytes)).toEqual([])
    },
  )
})

describe('a document is refused for its own reason', () => {
  test('altered by one byte', async () => {
    await refusedBecause(changed(documentation, 'Maria Conceição', 'Maria Conceiçaa'), 'content-altered')
    await refusedBecause(changed(degree, 'PED-12', 'PED-13'), 'content-altered')
    await refusedBecause(
      changed(documentation, /<ds:SignatureValue Id="[^"]*">./, (found) => `${found.slice(0, -1)}_`),
      'signature-malformed',
    )
  })

  test('re-indented, and nothing else', async () => {
    const indented = changed(degree, /></g, '>\n  <')
    expect(await codes(indented)).toEqual(['document-reformatted'])
    const both = changed(indented, 'PED-12', 'PED-13')
    await refusedBecause(both, 'content-altered')
  })

  test('with signatures swapped', async () => {
    const swapped = rearranged(documentation, ([a, b, c, d]) => [b!, a!, c!, d!])
    await refusedBecause(swapped, 'signature-order')
    const institutionFirst = rearranged(documentation, ([a, b, c, d]) => [c!, a!, b!, d!])
    await refusedBecause(institutionFirst, 'signature-order')
  })

  test('with a signature moved to another node', async () => {
    const moved = rearranged(degree, ([a, b, c, d, e]) => [d!, b!, c!, a!, e!])
    await refusedBecause(moved, 'signature-moved')
    const toTheRoot = rearranged(documentation, ([a, b, c, d]) => [a!, b!, d!, c!])
    await refusedBecause(toTheRoot, 'signature-moved')
  })

  test('with a second node of the same id elsewhere', async () => {
    const node = /<DadosDiploma .*<\/DadosDiploma>/s.exec(documentation.toString())![0]
    const forged = node.replace('Maria Conceição', 'Outra Pessoa').replace(SIGNATURE, '')
    const wrapped = changed(documentation, '<DadosPrivadosDiplomado>', `${forged}<DadosPrivadosDiplomado>`)
    await refusedBecause(wrapped, 'signature-wrapping')
    await refusedBecause(wrapped, 'id-duplicate')
  })

  test('with the signed node hidden in a signature and a forged one in its place', async () => {
    const node = /<DadosDiploma .*<\/DadosDiploma>/s.exec(degree.toString())![0]
    const forged = node.replace('Maria Conceição', 'Outra Pessoa').replace(/id="Dip\d+"/, 'id="Outra"')
    const text = degree.toString().replace(node, forged)
    const hidden = Buffer.from(
      text.replace(/<\/ds:Signature><\/Diploma>$/, `<ds:Object>${node}</ds:Object></ds:Signature></Diploma>`),
    )
    await refusedBecause(hidden, 'signature-wrapping')
  })

  test('without one of its signatures', async () => {
    const without = (at: number) =>
      rearranged(documentation, (all) => all.map((one, index) => (index === at ? '' : one)))
    for (const at of [2, 3]) await refusedBecause(without(at), 'signature-missing')
    await refusedBecause(without(0), 'content-altered')
    const listed = await world.closedDocumentation({ issuerSignatories: ['11144477735', '12345678909'] })
    await refusedBecause(
      rearranged(listed, ([, b, c, d]) => ['', b!, c!, d!]),
      'signature-missing',
    )
  })

  test('signed after it was closed', async () => {
    const more = await signXades(documentation, world.rector, { ...world.helpers(), level: 'AD-RT', parallel: true })
    await refusedBecause(more, 'signed-after-archive')
    const id = `Dip${samples.NONCE}`
    const inside = await signedAnyhow(documentation, 'issuerPeople', world.clerk, { target: { id } })
    await refusedBecause(inside, 'signature-order')
  })

  test('closed by a signature that leaves the others out', async () => {
    const partial = await documentationWhere('issuerArchive', (bytes) =>
      signedAnyhow(bytes, 'issuerArchive', world.issuer, { parallel: true }),
    )
    expect(await codes(partial)).toEqual(['archive-partial'])
  })

  test('with a second signature of the institution, or one where the layout has none', async () => {
    const twice = await documentationWhere('issuerInstitution', async (bytes) =>
      signedAnyhow(await signedAnyhow(bytes, 'issuerInstitution', world.issuer), 'issuerInstitution', world.issuer),
    )
    expect(await codes(twice)).toEqual(['signature-surplus'])
    const elsewhere = await documentationWhere('issuerInstitution', async (bytes) => {
      const { body } = readDocument(bytes)
      const position = { at: 'last-child', of: { ordinal: body } } as const
      return signedAnyhow(
        await signedAnyhow(bytes, 'issuerInstitution', world.issuer),
        'issuerInstitution',
        world.issuer,
        { position },
      )
    })
    expect(await codes(elsewhere)).toEqual(['signature-misplaced'])
  })

  test('with more signatures than anybody makes, or in another encoding', async () => {
    const [signature] = degree.toString().match(SIGNATURE)!
    const many = changed(degree, '</Diploma>', `${signature!.repeat(64)}</Diploma>`)
    expect(await codes(many)).toEqual(['too-many-signatures'])
    const text = degree.toString().replace('encoding="UTF-8"', 'encoding="UTF-16"')
    expect(await codes(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(['not-utf8'])
  })

  test('signed at too low a level', async () => {
    const low = await documentationWhere('issuerArchive', (bytes) =>
      signedAnyhow(bytes, 'issuerArchive', world.issuer, { level: 'AD-RT' }),
    )
    expect(await codes(low)).toEqual(['level-insufficient'])
    const basic = await documentationWhere('issuerPeople', (bytes) =>
      signedAnyhow(bytes, 'issuerPeople', world.dean, { level: 'AD-RB' }),
    )
    expect(await codes(basic)).toEqual(['level-insufficient'])
    expect(await codes(basic, { levels: { issuerPeople: 'AD-RB' } })).toEqual([])
  })

  test('signed by another CNPJ', async () => {
    const other = await documentationWhere('issuerInstitution', (bytes) =>
      signedAnyhow(bytes, 'issuerInstitution', world.registrar),
    )
    expect(await codes(other)).toEqual(['cnpj-mismatch'])
  })

  test('signed by a person who is not listed, or by the wrong kind of certificate', async () => {
    const terms = { issuerSignatories: ['12345678909'] }
    const sign = (bytes: Buffer) => signedAnyhow(bytes, 'issuerPeople', world.dean)
    expect(await codes(await documentationWhere('issuerPeople', sign, terms))).toEqual([
      'signature-missing',
      'person-not-listed',
    ])
    const machine = world.signerOf(world.pki.certificate('equipment'))
    const byMachine = await documentationWhere('issuerPeople', (bytes) =>
      signedAnyhow(bytes, 'issuerPeople', machine, { level: 'AD-RT' }),
    )
    await refusedBecause(byMachine, 'certificate-kind')
  })

  test.each([
    ['expired', 'certificate-expired'],
    ['revoked', 'certificate-revoked'],
    ['not-yet-valid', 'certificate-not-yet-valid'],
    ['under-unknown-root', 'certificate-untrusted'],
  ] as const)('signed with a certificate that is %s', async (label, code) => {
    const signer = world.signerOf(world.pki.certificate(label))
    const bytes = await documentationWhere('issuerPeople', (unsigned) =>
      signedAnyhow(unsigned, 'issuerPeople', signer, { level: 'AD-RT' }),
    )
    expect(await codes(bytes)).toContain(code)
    expect((await inspect(bytes)).verdict).toBe('refused')
  })

  test('with a document type or an entity', async () => {
    const doctype = changed(degree, '?>', '?><!DOCTYPE Diploma [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
    expect(await codes(doctype)).toEqual(['doctype'])
    expect(await codes(changed(degree, 'PED-12', '&x;'))).toEqual(['entity'])
    expect(await codes(Buffer.from('no XML'))).toEqual(['not-xml'])
    expect(await codes(Buffer.from('<Diploma/>'))).toEqual(['kind-unknown'])
  })

  test('whose degree data is not what was sent', async () => {
    const another = await world.closedDocumentation()
    expect(await codes(degree, { sent: another })).toEqual(['degree-data-differs'])
    expect(await codes(degree, { sent: Buffer.from('rubbish') })).toEqual(['degree-data-differs'])
  })

  test('of a version that was not in force, of another kind or institution, or against its layout', async () => {
    const old = await world.closedDocumentation({ expedition: '2022-10-16' })
    expect(await codes(old)).toEqual(['version-not-in-force'])
    const options = {
      kind: 'degree',
      institutions: { issuer: world.terms.registrar },
      layoutVerdict: { valid: false, problems: ['CEP: 8 dígitos', 'UF'] },
    } as const
    const report = await inspect(documentation, options)
    expect(report.problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['kind-unexpected', 'institution-unexpected', 'layout-invalid']),
    )
    expect(report.problems.find(({ code }) => code === 'layout-invalid')!.text.pt).toContain('CEP: 8 dígitos')
  })
})

test('what cannot be known now is left open, not accepted', async () => {
  const bytes = await documentationWhere('issuerPeople', (unsigned) =>
    signedAnyhow(unsigned, 'issuerPeople', world.signerOf(world.pki.certificate('ana-souza')), { level: 'AD-RT' }),
  )
  for (const area of ['ocsp', 'crl', 'crl-mirror'] as const) world.faults.set(area, { kind: 'http-500' })
  try {
    const { startJudge } = world
    const report = await inspect(bytes, { judge: startJudge() })
    expect([report.verdict, await codes(bytes, { judge: startJudge() })]).toEqual([
      'undetermined',
      ['revocation-unknown'],
    ])
  } finally {
    world.faults.clear()
  }
})

test('any bytes get a report: nothing is thrown, and no damaged document is accepted', async () => {
  // Behind it are the certificates in the newest timestamp, which nothing signs and nothing needs to.
  const places = fc.integer({ min: 60, max: degree.indexOf('<xades141:ArchiveTimeStamp') })
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const damaged = Buffer.from(degree)
      damaged[at] = damaged[at]! ^ by
      const { verdict } = await inspect(damaged)
      expect(verdict).not.toBe('accepted')
    }),
    { numRuns: 30, seed: 18 },
  )
})

test('every problem has a sentence in both languages', () => {
  for (const { pt, en } of Object.values(documentProblems)) {
    expect(pt).not.toBe(en)
    const holes = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? []
    expect(holes(pt)).toEqual(holes(en))
  }
})
