// The test of a computer: a nonce is signed, no document, and what is missing is told. Nothing is stored: the page holds
// the sealed test.
import { createHash, randomBytes } from 'node:crypto'
import { SecretProblem } from '@chancela/service-kernel/secrets'
import { endOf, LinkProblem, type SessionServer } from '@chancela/service-links'
import { testSignaturePrefix } from '@chancela/session-server/contract'
import { isDigestSignedBy } from '@chancela/signature-engine/keys'
import { type Certificate, holderOf, signerReport } from '@chancela/signature-engine/x509'
import type { Static } from 'typebox'
import type {
  beginComputerTest as begin,
  lookComputerTest as look,
  TokenOutcome,
} from '../../../contract/token-signing.ts'
import { personCpf, readCertificate } from '../../../rules/participant-certificate.ts'
import { refuse } from '../../../rules/refuse.ts'
import { judged } from '../sign-with-certificate.ts'
import { orNotAvailable, siteOf, type TokenSigning } from './open-token-signing.ts'

type Look = Static<typeof look.answer>

interface ComputerTest {
  readonly approval: string
  /** Base64. */
  readonly nonce: string
}

const CONTEXT = 'computer test'
const NONCE_BYTES = 32

export async function beginComputerTest(token: TokenSigning): Promise<Static<typeof begin.answer>> {
  const { context } = token
  const site = siteOf(context).slice(0, 200)
  const {
    id: approval,
    code,
    expiresAt,
  } = await orNotAvailable(token, (server) => server.begin({ kind: 'test', site }))
  const test: ComputerTest = { approval, nonce: randomBytes(NONCE_BYTES).toString('base64') }
  return { id: context.secrets.seal(JSON.stringify(test), CONTEXT), code, expiresAt }
}

export async function lookComputerTest(token: TokenSigning, sealed: string, now: Date): Promise<Look> {
  const test = opened(token, sealed)
  const approval = await orNotAvailable(token, (server) => server.read(test.approval).catch(goneTest))
  const end = endOf(approval)
  if (end) return endedTest(end)
  if (approval.state !== 'READY') return { ...endedTest(null), state: 'waiting' }
  const certificate = readCertificate(approval.certificate!)
  const outcome = await orNotAvailable(token, (server) => signedNonce(server, test, certificate))
  const { results } = await judged(token.signing, certificate, now)
  return { ...endedTest(outcome), certificate: described(certificate), validationResults: results }
}

const endedTest = (outcome: TokenOutcome | null): Look => ({
  state: 'ended',
  outcome,
  certificate: null,
  validationResults: null,
})

function opened({ context: { secrets } }: TokenSigning, sealed: string): ComputerTest {
  try {
    return JSON.parse(secrets.openText(sealed, CONTEXT)) as ComputerTest
  } catch (error) {
    if (error instanceof SecretProblem) throw refuse('ComputerTestNotFound', undefined, error)
    throw error
  }
}

function goneTest(error: unknown): never {
  if (error instanceof LinkProblem && error.code === 'APPROVAL_NOT_FOUND')
    throw refuse('ComputerTestNotFound', undefined, error)
  throw error
}

/** Has the nonce signed, and verifies that here: what the test says is not taken on trust. */
async function signedNonce(
  server: SessionServer,
  { approval, nonce }: ComputerTest,
  certificate: Certificate,
): Promise<TokenOutcome> {
  try {
    const [signature] = await server.sign(approval, { nonce })
    const digest = createHash('sha256').update(testSignaturePrefix).update(Buffer.from(nonce, 'base64')).digest()
    return isDigestSignedBy(certificate, 'sha256', digest, signature!) ? 'signed' : 'signature-invalid'
  } catch (error) {
    if (!(error instanceof LinkProblem) || error.code !== 'APPROVAL_OVER') throw error
    return endOf(await server.read(approval)) ?? 'failed'
  }
}

function described(certificate: Certificate): NonNullable<Look['certificate']> {
  const { name, cnpj } = holderOf(certificate)
  return {
    name,
    identifier: cnpj ?? personCpf(certificate),
    issuer: signerReport(certificate).issuer,
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
  }
}
