// The way of a signature through the public door, and programs that judge what came of it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import type { CoreWorld } from './core-world.ts'
import { certificateOf, roots, signedBy } from './pki.ts'

export type Client = Pick<CoreWorld, 'call' | 'json'>

export const inline = (name: string, bytes: Uint8Array | string) => ({
  name,
  content: Buffer.from(bytes).toString('base64'),
})

/** Prepares with the certificate of a holder. */
export const prepare = ({ json }: Client, label: string, request: object, headers = {}) =>
  json('POST', '/api/signature', { certificate: { content: certificateOf(label) }, ...request }, headers)

export const complete = ({ json }: Client, state: string, signature: string) =>
  json('POST', '/api/signature/completion', { state, signature })

/** Goes the whole way; the document, and its signed bytes. */
export async function sign(client: Client, label: string, request: object) {
  const prepared = await prepare(client, label, request)
  if (!prepared.body?.success) throw new Error(`It was not prepared: ${prepared.text}`)
  const { status, body, text } = await complete(client, prepared.body.state, signedBy(label, prepared.body.toSign.data))
  if (status !== 200) throw new Error(`It was not completed: ${text}`)
  return { prepared: prepared.body, document: body, bytes: await download(body.signedFile.url) }
}

export const download = async (url: string): Promise<Buffer> => {
  const answer = await fetch(url, { redirect: 'error' })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** What pdfsig says of a file. */
export async function pdfsig(bytes: Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.pdf'), bytes)
  return (await runTool('pdfsig', ['-nocert', 'a.pdf'], { folder })).text
}

/** The same document, which opens with a password. */
export async function protectedPdf(bytes: Uint8Array): Promise<Buffer> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.pdf'), bytes)
  await runTool('qpdf', ['--encrypt', 'user', 'owner', '256', '--', 'a.pdf', 'b.pdf'], { folder })
  return readFileSync(join(folder, 'b.pdf'))
}

/** Whether openssl accepts a CMS up to the roots; the content of a detached one stands beside it. */
export async function opensslAccepts(cms: Uint8Array, content?: Uint8Array): Promise<boolean> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'signature'), cms)
  if (content) writeFileSync(join(folder, 'content'), content)
  const { ok } = await runTool(
    'openssl',
    [
      ...['cms', '-verify', '-cades', '-binary', '-purpose', 'any', '-CAfile', roots],
      ...['-inform', 'DER', '-in', 'signature', ...(content ? ['-content', 'content'] : [])],
    ],
    { folder },
  )
  return ok
}

/** What xmlsec1 says of the first signature of a file; detached contents stand beside it. */
export async function xmlsec(bytes: Uint8Array, ids: readonly string[] = [], contents: Record<string, string> = {}) {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content)
  writeFileSync(join(folder, 'a.xml'), bytes)
  const attributes = ['http://uri.etsi.org/01903/v1.3.2#:SignedProperties', ...ids].flatMap((one) => [
    '--id-attr:Id',
    one,
  ])
  return (await runTool('xmlsec1', ['--verify', '--trusted-pem', roots, ...attributes, 'a.xml'], { folder })).text
}
