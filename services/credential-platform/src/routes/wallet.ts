import { attachment, type Call, serve } from '@chancela/service-kernel/http'
import { StatusLists } from '../actions/wallet/status-lists.ts'
import { readCredential } from '../actions/wallet/wallet-credentials.ts'
import { readDidDocument, readIssuer, revokeKey, rotateKey } from '../actions/wallet/wallet-keys.ts'
import type { Parts } from '../compose.ts'
import * as contract from '../contract/wallet.ts'
import { idOf } from '../rules/texts.ts'
import type { CredentialApp } from './credential-app.ts'

/** Credentials for wallets: who signs them, for whom, and what verifiers ask. */
export function serveWallets(app: CredentialApp, parts: Parts): void {
  serveKeys(app, parts)
  serveCredentials(app, parts)
  serveVerifiers(app, parts)
}

function serveKeys(app: CredentialApp, parts: Parts): void {
  serve(app, contract.readWalletIssuer, ({ caller, params }) => readIssuer(parts, caller, params.id))
  serve(app, contract.rotateWalletKey, ({ caller, params, now }) => rotateKey(parts, caller, params.id, now))
  serve(app, contract.revokeWalletKey, ({ caller, params, now }) =>
    revokeKey(parts, caller, params.id, params.key, now),
  )
}

function serveCredentials(app: CredentialApp, parts: Parts): void {
  serve(app, contract.readDegreeCredential, async ({ caller, params, now, reply }) =>
    sendToken(reply, await readCredential(parts, caller, 'Degree', params.id, now), 'diploma'),
  )
  serve(app, contract.readTranscriptCredential, async ({ caller, params, now, reply }) =>
    sendToken(reply, await readCredential(parts, caller, 'AcademicTranscript', params.id, now), 'historico'),
  )
}

/** For one person: nobody in between keeps it. */
export const sendToken = (reply: Call['reply'], token: string, name: string) =>
  reply
    .headers({ 'cache-control': 'no-store', 'content-disposition': attachment(`${name}.jwt`) })
    .type('application/vc+jwt')
    .send(token)

function serveVerifiers(app: CredentialApp, parts: Parts): void {
  const lists = new StatusLists(parts)
  serve(app, contract.readDidDocument, async ({ params, reply }) => {
    const document = await readDidDocument(parts, params.id)
    reply.header('cache-control', `public, max-age=${parts.context.settings.Wallet.CacheSeconds}`)
    return document
  })
  serve(app, contract.readStatusList, async ({ params, headers, now, reply }) => {
    const { token, etag } = await lists.list(idOf(params.id), params.purpose, params.number, now)
    reply.headers({ etag, 'cache-control': `public, max-age=${parts.context.settings.Wallet.CacheSeconds}` })
    if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/vc+jwt').send(token)
  })
}

/** Weakly: two that were made of the same say the same. */
const isKnown = (given: string | undefined, etag: string): boolean =>
  given?.split(',').some((one) => ['*', etag].includes(one.trim())) ?? false
