import assert from 'node:assert/strict'
import { openState, sealState } from '@chancela/signature-engine'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  completeStep,
  finishStep,
  insertSignature,
  SigningRefusal,
  type SigningRefusalCode,
  type StepName,
  signaturePlans,
  signingProgress,
  signStep,
  startStep,
} from './index.ts'
import { type RegistryWorld, registryWorld } from './test-support/registry-world.ts'
import * as samples from './test-support/samples.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

let world: RegistryWorld
beforeAll(async () => {
  world = await registryWorld()
})
afterEach(() => world.faults.clear())

const refused = async (what: () => unknown, code: SigningRefusalCode) => {
  const error = await (async () => what())().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SigningRefusal, `${code}: ${error}`)
  expect(error.code).toBe(code)
}

const states = (bytes: Uint8Array) => signingProgress(bytes).steps.map(({ step, state }) => [step.name, state])

/** The document with every signature cut out, wherever it stands. */
const withoutSignatures = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('utf8')
    .replaceAll(/<ds:Signature .*?<\/ds:Signature>/gs, '')

describe('the plans', () => {
  test('end with one archiving signature of an institution over everything, signatures included', () => {
    for (const [kind, plan] of Object.entries(signaturePlans)) {
      const closing = plan.at(-1)!
      expect([kind, closing.node, closing.certificate, closing.level, closing.covers]).toEqual([
        kind,
        'document',
        'eCnpj',
        'AD-RA',
        'everything',
      ])
      expect(plan.filter(({ covers }) => covers === 'everything')).toEqual([closing])
    }
  })

  test('have three signatures at least on the academic documentation: a person, and the institution twice', () => {
    expect(signaturePlans.academicDocumentation.map(({ node, certificate }) => [node, certificate])).toEqual([
      ['degreeData', 'eCpf'],
      ['degreeData', 'eCnpj'],
      ['document', 'eCnpj'],
    ])
  })
})

type Kind = 'academicDocumentation' | 'academicTranscript' | 'curriculum' | 'cancellationList' | 'inspectionFile'

describe('a document signed step by step', () => {
  const signers: Record<Kind, (w: RegistryWorld) => RegistryWorld['dean'][]> = {
    academicDocumentation: (w) => [w.dean, w.rector, w.issuer, w.issuer],
    academicTranscript: (w) => [w.clerk, w.dean, w.issuer],
    curriculum: (w) => [w.dean, w.issuer],
    cancellationList: (w) => [w.registrar],
    inspectionFile: (w) => [w.issuer],
  }
  for (const kind of Object.keys(signers) as Kind[])
    test(`of kind ${kind} keeps every other byte, and xmlsec1 verifies every signature after every step`, async () => {
      const unsigned = samples.unsignedDocuments[kind](world.terms)
      let bytes: Buffer = unsigned
      for (const [at, signer] of signers[kind](world).entries()) {
        bytes = await world.sign(bytes, signer)
        expect(withoutSignatures(bytes)).toBe(unsigned.toString('utf8'))
        expect(await xmlsecVerdicts(bytes, world.root, world.clock())).toEqual(Array(at + 1).fill('OK'))
      }
      const { closed, next, misplaced, steps } = signingProgress(bytes)
      expect([closed, next, misplaced]).toEqual([true, [], []])
      for (const { step, state, signatures } of steps) {
        expect([step.name, state]).toEqual([step.name, 'done'])
        for (const { signature } of signatures) expect(signature.outline?.present).toBe(step.level)
      }
    })

  test('knows from its bytes alone where it stands', async () => {
    const unsigned = samples.academicDocumentation(world.terms)
    expect(states(unsigned)).toEqual([
      ['issuerPeople', 'open'],
      ['issuerInstitution', 'waiting'],
      ['issuerArchive', 'waiting'],
    ])
    const one = await world.sign(unsigned, world.dean)
    // Nothing says how many people sign: one more may, until the institution has.
    expect(signingProgress(one).next).toEqual(['issuerPeople', 'issuerInstitution'])
    const two = await world.sign(one, world.issuer)
    expect(signingProgress(two).next).toEqual(['issuerArchive'])
  })

  test('waits for every signatory it lists', async () => {
    const terms = { ...world.terms, issuerSignatories: ['11144477735', '12345678909'] }
    const one = await world.sign(samples.academicDocumentation(terms), world.dean)
    const { next, steps } = signingProgress(one)
    expect([next, steps[0]!.missing]).toEqual([['issuerPeople'], ['12345678909']])
    await refused(() => world.sign(one, world.issuer, 'issuerInstitution'), 'out-of-order')
    const two = await world.sign(one, world.rector)
    expect(signingProgress(two).next).toEqual(['issuerInstitution'])
  })

  test('waits for the people the caller names where the layout has no list', async () => {
    const people = { issuerPeople: ['24681357928', '11144477735'] }
    const transcript = samples.academicTranscript(world.terms)
    const cpf = signingProgress(await world.sign(transcript, world.clerk)).steps[0]!.signatures[0]!.signer
    const wanted = { issuerPeople: [cpf, '11144477735'] }
    const one = await signStep(transcript, world.clerk, { ...world.helpers(), people: wanted })
    expect(signingProgress(one, { people: wanted }).next).toEqual(['issuerPeople'])
    await refused(() => signStep(one, world.rector, { ...world.helpers(), people }), 'not-a-signatory')
  })

  test('is signed at the levels a site sets', async () => {
    const levels = { issuerPeople: 'AD-RT', issuerInstitution: 'AD-RB' } as const
    let bytes: Buffer = samples.academicDocumentation(world.terms)
    for (const signer of [world.dean, world.issuer])
      bytes = await signStep(bytes, signer, { ...world.helpers(), levels })
    const present = signingProgress(bytes).steps.map(({ signatures }) => signatures[0]?.signature.outline?.present)
    expect(present).toEqual(['AD-RT', 'AD-RB', undefined])
  })

  test('is read and signed in the other namespace as well', async () => {
    const namespace = 'https://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'
    const bytes = await world.sign(samples.curriculum({ ...world.terms, namespace }), world.dean)
    expect(signingProgress(bytes).next).toEqual(['issuerPeople', 'issuerArchive'])
  })
})

describe('a certificate is refused', () => {
  const start = (bytes: Uint8Array, signer: RegistryWorld['dean'], step?: StepName, requireHardware = false) =>
    startStep(bytes, signer.certificate, { now: world.clock(), requireHardware, ...(step && { step }) })
  let unsigned: Buffer
  beforeAll(() => {
    unsigned = samples.academicDocumentation(world.terms)
  })

  test('on a document that is not in UTF-8', async () => {
    const utf16 = Buffer.from(`\ufeff${unsigned.toString().replace('UTF-8', 'UTF-16')}`, 'utf16le')
    await refused(() => start(utf16, world.rector), 'not-utf8')
  })

  test('of the wrong kind', async () => {
    await refused(() => start(unsigned, world.issuer), 'wrong-certificate-kind')
    const machine = world.signerOf(world.pki.certificate('equipment'))
    await refused(() => start(unsigned, machine), 'wrong-certificate-kind')
  })

  test('of another institution', async () => {
    const one = await world.sign(unsigned, world.dean)
    await refused(() => start(one, world.registrar), 'wrong-cnpj')
  })

  test('of a person who is not listed, or who has signed already', async () => {
    const listed = samples.academicDocumentation({ ...world.terms, issuerSignatories: ['11144477735'] })
    await refused(() => start(listed, world.rector), 'not-a-signatory')
    const one = await world.sign(unsigned, world.dean)
    await refused(() => start(one, world.dean, 'issuerPeople'), 'signed-by-this-person')
  })

  test('before and after its time', async () => {
    await refused(() => start(unsigned, world.signerOf(world.pki.certificate('expired'))), 'certificate-expired')
    const early = world.signerOf(world.pki.certificate('not-yet-valid'))
    await refused(() => start(unsigned, early), 'certificate-not-yet-valid')
  })

  test('with a key in software, where a site requires hardware', async () => {
    const soft = world.signerOf(world.pki.certificate('ana-souza'))
    await refused(() => start(unsigned, soft, undefined, true), 'certificate-type')
    expect(start(unsigned, world.dean, undefined, true).step.name).toBe('issuerPeople')
  })

  test('out of order, twice, and after the document is closed', async () => {
    await refused(() => start(unsigned, world.issuer, 'issuerInstitution'), 'out-of-order')
    await refused(() => start(unsigned, world.issuer, 'issuerArchive'), 'out-of-order')
    await refused(() => start(unsigned, world.dean, 'registrarPeople'), 'step-unknown')
    const two = await world.sign(await world.sign(unsigned, world.dean), world.issuer)
    await refused(() => start(two, world.rector, 'issuerPeople'), 'already-signed')
    await refused(() => start(two, world.issuer, 'issuerInstitution'), 'already-signed')
    const closed = await world.sign(two, world.issuer)
    for (const signer of [world.rector, world.issuer]) await refused(() => start(closed, signer), 'closed')
  })

  test('for what is no academic document, or one without the node to sign', async () => {
    await refused(() => start(Buffer.from('<a xmlns="urn:b"><c/></a>'), world.dean), 'kind-unknown')
    const gone = Buffer.from(
      unsigned.toString().replaceAll('DadosDiploma>', 'DadosOutros>').replace('<DadosDiploma ', '<DadosOutros '),
    )
    await refused(() => start(gone, world.dean), 'node-missing')
  })
})

describe('the two phases', () => {
  test('may be days and machines apart: the sealed state is enough', async () => {
    const secret = Buffer.alloc(32, 7)
    const unsigned = samples.academicDocumentation(world.terms)
    const started = startStep(unsigned, world.dean.certificate, { now: world.clock(), chain: world.dean.chain })
    const sealed = sealState(started.state, secret, { document: 'outside' })
    const answer = await world.dean.sign(started)
    const bytes = await completeStep(openState(sealed, secret, unsigned), answer, world.helpers())
    expect(states(bytes)[0]).toEqual(['issuerPeople', 'done'])
    expect(await xmlsecVerdicts(bytes, world.root, world.clock())).toEqual(['OK'])
  })

  test('refuse the answer of another key', async () => {
    const unsigned = samples.academicDocumentation(world.terms)
    const started = startStep(unsigned, world.dean.certificate, { now: world.clock(), chain: world.dean.chain })
    const answer = await world.clerk.sign(started)
    await expect(completeStep(started.state, answer, world.helpers())).rejects.toMatchObject({
      code: 'signing.wrong-signature',
    })
  })

  test('leave a signature that can be finished when the timestamp authority is back', async () => {
    const unsigned = samples.academicDocumentation(world.terms)
    const started = startStep(unsigned, world.dean.certificate, { now: world.clock(), chain: world.dean.chain })
    const inserted = insertSignature(started.state, await world.dean.sign(started))
    expect(states(inserted)[0]).toEqual(['issuerPeople', 'unfinished'])
    await refused(() => startStep(inserted, world.rector.certificate, { now: world.clock() }), 'unfinished')
    world.faults.set('tsa', { kind: 'http-500' })
    await expect(finishStep(inserted, world.helpers())).rejects.toMatchObject({ code: 'timestamp.unavailable' })
    world.faults.clear()
    for (const area of ['ocsp', 'crl', 'crl-mirror'] as const) world.faults.set(area, { kind: 'http-500' })
    const cold = { ...world.helpers(), judge: world.startJudge() }
    await expect(finishStep(inserted, cold)).rejects.toMatchObject({ code: 'revocation.unavailable' })
    world.faults.clear()
    const finished = await finishStep(inserted, world.helpers())
    expect(states(finished)[0]).toEqual(['issuerPeople', 'done'])
    expect(await finishStep(finished, world.helpers())).toEqual(finished)
  })
})
