// The way of a signature of the earlier generation through the public door.
import type { CoreWorld } from './core-world.ts'
import { certificateOf, signedHash } from './pki.ts'

export type Client = Pick<CoreWorld, 'json'>

export const policies = {
  padesBasic: '78d20b33-014d-440e-ad07-929f05d00cdf',
  padesT: '6a39aeea-a2d0-4754-bf8c-19da15296ddb',
  padesRb: '531d5012-4c0d-4b6f-89e8-ebdcc605d7c2',
  padesRt: '10f0d9a5-a0a9-42e9-9523-e181ce05a25b',
  cadesBes: 'a4522485-c9e5-46c3-950b-0d6e951e17d1',
  cadesRb: '3ddd8001-1672-4eb5-a4a2-6e32b17ddc46',
  cadesRt: 'a5332ad1-d105-447c-a4bb-b5d02177e439',
  cadesRc: '30d881e7-924a-4a14-b5cc-d5a1717d92f6',
  xadesBes: '1beba282-d1b6-4458-8e46-bd8ad6800b54',
  xadesRb: '1cf5db62-58b6-40ba-88a3-d41bada9b621',
  xadesRt: '5aa2e0af-5269-43b0-8d45-f4ef52921f04',
  xadesRc: '826b3a00-3400-4236-90d9-40917b0cc83b',
  xadesRa: '5b8c0710-006d-434d-bf35-12292b56b90a',
  nfe: 'a3c24251-d43a-4ba4-b25d-ee8e2ab24f06',
  codSha1: 'bf71e0fc-6ffd-4135-a137-0e488a3ad39e',
  codSha256: '45d83a40-1d59-480a-8cd2-d3df1060cce3',
} as const

export const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64')

/** What the component in the browser sends: without a key. */
export async function pending({ baseUrl }: CoreWorld, token: string, method: string, step = '', body?: object) {
  const answer = await fetch(`${baseUrl}/Api/PendingSignatures/${encodeURIComponent(token)}${step}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Starts with the certificate of a holder, and completes with its key; the answer of the completion. */
export async function signEarlier(client: Client, path: string, label: string, request: object) {
  const certificate = certificateOf(label)
  const started = await client.json('POST', path, { certificate, ...request })
  if (started.status !== 200) return started
  const { token, toSignHash } = started.body
  const format = /(\w+Signatures)/.exec(path)![1]
  return client.json('POST', `/Api/${format}/${token}/SignedBytes`, { signature: signedHash(label, toSignHash) })
}
