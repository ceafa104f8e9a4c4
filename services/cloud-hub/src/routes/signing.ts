import { type ApiKeyCaller, type Call, serve } from '@chancela/service-kernel/http'
import type { Context } from '../context.ts'
import * as contract from '../contract/signing.ts'
import { endSession, sessionStatus } from '../parts/signing/end-session.ts'
import type { SessionCall, Signing, SigningCall } from '../parts/signing/signing.ts'
import { type NamedDigest, readDigestAlgorithm, readHash } from '../rules/digest-algorithm.ts'
import type { DigestName } from '../rules/digests.ts'
import type { Providers } from '../upstream/provider.ts'
import type { ContractApp } from './contract-app.ts'

interface SigningParts {
  readonly context: Context
  readonly providers: Providers
  readonly signing: Signing
}

/** Registers the operations under an authorized session. */
export function serveSigning(app: ContractApp, { context, providers, signing }: SigningParts): void {
  const digestOf = (named: NamedDigest) => readDigestAlgorithm(named, context.settings.Signing)

  serve(app, contract.readCertificate, async (call) => {
    const { der } = await signing.certificate(callOn(call.query.session, call))
    return base64(der)
  })

  serve(app, contract.readCertificateModel, async (call) => {
    const { der, alias, provider } = await signing.certificate(callOn(call.query.session, call))
    return { content: base64(der), alias, serviceName: provider.serviceName }
  })

  serve(app, contract.signHash, async (call) => {
    const digest = digestOf(call.body)
    const [signature] = await signing.sign(signingCall(call, digest, [readHash(call.body.hash, digest)]))
    return signature!
  })

  serve(app, contract.signHashes, async (call) => {
    const digest = digestOf(call.body)
    const hashes = call.body.hashes.map((text, at) => readHash(text, digest, `hashes[${at}]`))
    return { signatures: await signing.sign(signingCall(call, digest, hashes)) }
  })

  serve(app, contract.readStatus, (call) => sessionStatus(context, providers, callOn(call.query.session, call)))

  serve(app, contract.endSession, (call) => endSession(context, providers, callOn(call.body.session, call)))
}

type Known = Pick<Call<never, ApiKeyCaller>, 'caller' | 'correlationId'>

const callOn = (session: string, { caller, correlationId }: Known): SessionCall => ({
  session,
  keyId: caller.keyId,
  correlationId,
})

/** What both signing operations have in common. */
interface Signed extends Known {
  readonly body: { readonly session: string; readonly certificateAlias?: string }
  readonly headers: { readonly 'idempotency-key'?: string }
}

const signingCall = (
  { body, headers, caller, correlationId }: Signed,
  digest: DigestName,
  hashes: readonly Buffer[],
): SigningCall => ({
  session: body.session,
  keyId: caller.keyId,
  correlationId,
  digest,
  hashes,
  alias: body.certificateAlias,
  idempotencyKey: headers['idempotency-key'],
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
