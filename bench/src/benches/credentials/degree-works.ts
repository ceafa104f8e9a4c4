// A degree from its data to both XML files, signed by those who have to, with keys at hand.
import { degreeIds, generate, judge as judgeLayout, newNonce, nodeRange } from '@chancela/academic-documents/layouts'
import { sampleAcademicDocumentation, sampleDegree } from '@chancela/academic-documents/samples'
import { assembleDegree, type LevelHelpers, signStep } from '@chancela/academic-documents/signatures'
import { createJudge, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { createTimestampClient } from '@chancela/signature-engine/timestamps'
import { Certificate } from '@chancela/signature-engine/x509'
import {
  addresses,
  answerTimeStamp,
  cachedKeys,
  type IssuedCertificate,
  startDemoPki,
} from '@chancela/testkit/demo-pki'

/** Those who sign, and what the levels of their signatures need; the timestamp authority is in this process. */
export interface DegreeWorld {
  readonly people: { readonly dean: DigestSigner; readonly clerk: DigestSigner }
  readonly issuer: DigestSigner
  readonly registrar: DigestSigner
  readonly helpers: LevelHelpers
  /** RSA operations of everybody since the world was opened, the timestamp authority included. */
  signatures(): number
  readonly root: Certificate
  stop(): Promise<void>
}

type DegreeXml = { readonly documentation: Buffer; readonly degree: Buffer }

export async function openDegreeWorld(): Promise<DegreeWorld> {
  const now = new Date()
  const { pki, baseUrl, stop } = await startDemoPki({ keys: cachedKeys(), clock: () => now })
  const read = ({ der }: IssuedCertificate) => Certificate.read(der)
  let signatures = 0
  const signerOf = (issued: IssuedCertificate): DigestSigner => {
    const [certificate, ...chain] = pki.chainOf(issued).map(read)
    const signer = keySigner({ certificate: certificate!, chain, privateKey: issued.key.privateKey })
    return {
      ...signer,
      sign: (toSign) => {
        signatures += 1
        return signer.sign(toSign)
      },
    }
  }
  const responsible = { kind: 'person', name: 'Bruno Carvalho Lima', cpf: '11144477735', born: '1970-01-31' } as const
  const company = async (cnpj: string) =>
    signerOf(
      await pki.issueCompany({ name: 'Universidade', cnpj, responsible, email: 'a@example.com' }, { policy: 'A3' }),
    )
  const timestamps = createTimestampClient({
    authorities: [{ url: addresses(baseUrl).timeStamps }],
    exchange: async ({ body }) => {
      signatures += 1
      return { status: 200, headers: {}, body: await answerTimeStamp(pki, Buffer.from(body!)) }
    },
  })
  const root = read(pki.certificate('root'))
  const judge = createJudge({ anchors: TrustAnchors.of([root]), revocation: new RevocationSource() })
  const { issuer, registrar } = institutionsOf()
  return {
    people: { dean: signerOf(pki.certificate('bruno-lima')), clerk: signerOf(pki.certificate('helena-prado')) },
    issuer: await company(issuer),
    registrar: await company(registrar),
    helpers: { now, judge, timestamps },
    signatures: () => signatures,
    root,
    stop,
  }
}

type Requested = {
  readonly registroReq: { readonly dadosDiploma: { readonly iesEmissora: { readonly cnpj: string } } }
}
type Registered = {
  readonly dadosDiploma: object
  readonly dadosRegistro: { readonly iesRegistradora: { readonly cnpj: string } }
}

/** The CNPJs of the samples. */
const institutionsOf = () => {
  const { registroReq } = sampleAcademicDocumentation().documentacaoAcademicaRegistro as unknown as Requested
  const { dadosRegistro } = sampleDegree().diploma.infDiploma as unknown as Registered
  return { issuer: registroReq.dadosDiploma.iesEmissora.cnpj, registrar: dadosRegistro.iesRegistradora.cnpj }
}

/** What an issuer sends: the data of a degree, signed by nobody in particular. */
function degreeData() {
  const nonce = newNonce()
  const documentation = sampleAcademicDocumentation({ nonce })
  const degree = sampleDegree({ nonce })
  return { nonce, documentation: unlisted(documentation), degree: unlisted(degree) }
}

const unlisted = <T>(data: T): T =>
  JSON.parse(JSON.stringify(data, (name, value) => (name === 'assinantes' ? undefined : value)))

/** Both files, closed. Each was valid before it was signed, which is what the platform requires. */
export async function makeDegree(world: DegreeWorld): Promise<DegreeXml> {
  const { nonce, documentation: data, degree: whole } = degreeData()
  const documentation = await signedBy(written(generate('academicDocumentation', data)), world, [
    world.people.dean,
    world.issuer,
    world.issuer,
  ])
  const unsigned = written(generate('degree', whole))
  const { start, end } = nodeRange(unsigned, degreeIds(nonce).dadosRegistro)!
  const assembled = assembleDegree(documentation, unsigned.subarray(start, end))
  requireValid(assembled, { beforeSigning: true })
  const degree = await signedBy(assembled, world, [world.people.clerk, world.registrar])
  return { documentation, degree }
}

function written(made: ReturnType<typeof generate>): Buffer {
  if (!made.valid) throw new Error(`The data are not valid: ${JSON.stringify(made.problems)}`)
  return made.bytes
}

export function requireValid(bytes: Buffer, options?: Parameters<typeof judgeLayout>[1]): void {
  const { valid, problems } = judgeLayout(bytes, options)
  if (!valid) throw new Error(`The document is not valid: ${JSON.stringify(problems)}`)
}

async function signedBy(bytes: Buffer, { helpers }: DegreeWorld, signers: readonly DigestSigner[]): Promise<Buffer> {
  let signed = bytes
  for (const signer of signers) signed = await signStep(signed, signer, helpers as Required<LevelHelpers>)
  return signed
}
