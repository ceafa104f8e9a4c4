import {
  createJudge,
  exchangeOverHttp,
  type Judge,
  RevocationSource,
  TrustAnchors,
} from '@chancela/signature-engine/judgement'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { createTimestampClient } from '@chancela/signature-engine/timestamps'
import { Certificate } from '@chancela/signature-engine/x509'
import { testClock } from '@chancela/testkit/clock'
import {
  addresses,
  cachedKeys,
  type IssuedCertificate,
  startDemoPki,
  withCnpjCheckDigits,
} from '@chancela/testkit/demo-pki'
import { type PkiOfFiles, pkiOfFiles } from '@chancela/testkit/test-files'
import { assembleDegree, type StepName, signStep } from '../index.ts'
import * as samples from './samples.ts'

const ISSUER = withCnpjCheckDigits('334445550001')
const REGISTRAR = withCnpjCheckDigits('445556660001')

/** Everybody who signs academic documents, under a PKI over HTTP with its own clock. */
export interface RegistryWorld extends PkiOfFiles {
  readonly judge: Judge
  /** A judge that knows nothing yet. */
  startJudge(): Judge
  readonly root: Certificate
  readonly terms: samples.SampleTerms
  /** People with an e-CPF, institutions with an e-CNPJ. */
  readonly dean: DigestSigner
  readonly rector: DigestSigner
  readonly clerk: DigestSigner
  readonly issuer: DigestSigner
  readonly registrar: DigestSigner
  signerOf(issued: IssuedCertificate): DigestSigner
  /** What brings signatures to their level, at the time of the clock. */
  helpers(): { now: Date; judge: Judge; timestamps: ReturnType<typeof createTimestampClient> }
  /** Signs one step, a minute after the last. */
  sign(bytes: Uint8Array, signer: DigestSigner, step?: StepName): Promise<Buffer>
  /** Every step of a document in order. */
  closedDocumentation(terms?: Partial<samples.SampleTerms>): Promise<Buffer>
  closedDegree(documentation: Uint8Array): Promise<Buffer>
}

const START = '2026-03-02T12:00:00.000Z'

let shared: Promise<PkiOfFiles> | undefined

/** The world of a test file, under a PKI that the files of a process share and each finds as new. */
export async function registryWorld(): Promise<RegistryWorld> {
  shared ??= pkiOfFiles(START)
  return worldUnder(await shared)
}

/** One of its own, for tests that let years pass: revocation lists only go forward. */
export async function startRegistryWorld(): Promise<RegistryWorld> {
  const clock = testClock(START)
  return worldUnder({ ...(await startDemoPki({ keys: cachedKeys(), clock })), clock })
}

async function worldUnder(running: PkiOfFiles): Promise<RegistryWorld> {
  const { pki, clock } = running
  const read = ({ der }: IssuedCertificate) => Certificate.read(der)
  const signerOf = (issued: IssuedCertificate) =>
    keySigner({
      certificate: read(issued),
      chain: pki.chainOf(issued).slice(1).map(read),
      privateKey: issued.key.privateKey,
    })
  const responsible = { kind: 'person', name: 'Bruno Carvalho Lima', cpf: '11144477735', born: '1970-01-31' } as const
  const company = (name: string, cnpj: string) =>
    pki.issueCompany({ name, cnpj, responsible, email: 'reitoria@example.com' }, { policy: 'A3' })
  const root = read(pki.certificate('root'))
  const startJudge = () =>
    createJudge({
      anchors: TrustAnchors.of([root]),
      exchange: exchangeOverHttp,
      revocation: new RevocationSource({ exchange: exchangeOverHttp }),
    })
  const judge = startJudge()
  const timestamps = createTimestampClient({ authorities: [{ url: addresses(running.baseUrl).timeStamps }] })
  const world: RegistryWorld = {
    ...running,
    judge,
    startJudge,
    root,
    terms: { issuer: ISSUER, registrar: REGISTRAR },
    dean: signerOf(pki.certificate('bruno-lima')),
    rector: signerOf(pki.certificate('carla-nogueira')),
    clerk: signerOf(pki.certificate('helena-prado')),
    issuer: signerOf(await company('Faculdade Exemplar de Sao Paulo', ISSUER)),
    registrar: signerOf(await company('Universidade Registradora', REGISTRAR)),
    signerOf,
    helpers: () => ({ now: clock(), judge, timestamps }),
    sign(bytes, signer, step) {
      clock.advance(60_000)
      return signStep(bytes, signer, { ...world.helpers(), ...(step && { step }) })
    },
    async closedDocumentation(terms = {}) {
      let bytes = samples.academicDocumentation({ ...world.terms, ...terms })
      for (const signer of [world.dean, world.rector, world.issuer, world.issuer])
        bytes = await world.sign(bytes, signer)
      return bytes
    },
    async closedDegree(documentation) {
      let bytes = assembleDegree(documentation, samples.registrationData(world.terms))
      for (const signer of [world.clerk, world.registrar]) bytes = await world.sign(bytes, signer)
      return bytes
    },
  }
  return world
}
