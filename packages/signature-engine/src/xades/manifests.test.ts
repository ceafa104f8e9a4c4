import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DemoSigners } from '../cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from '../cms/test-support/demo-signers-of-today.ts'
import { openState, sealState } from '../signing/signing-state.ts'
import { completeXades, prepareXades, type SignXadesOptions, signXades, validateXades } from './index.ts'
import { xmlsecVerifies } from './test-support/xmlsec.ts'
import { canonicalisations } from './vocabulary.ts'

let demo: DemoSigners
beforeAll(async () => {
  demo = await demoSignersOfToday()
})

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const plan = Buffer.from('plano')
const budget = Buffer.from('orçamento')
const contents = { 'plan.txt': plan, 'budget.txt': budget }
const terms = {
  packaging: 'detached',
  uri: 'plan.txt',
  mimeType: 'text/plain',
  also: [{ uri: 'budget.txt', content: budget, mimeType: 'text/csv' }],
  manifest: true,
} as const satisfies Partial<SignXadesOptions>

const sign = async (options: Partial<SignXadesOptions> = {}, document: Uint8Array = plan) =>
  signXades(document, await demo.signer(), {
    now: new Date(),
    timestamps: demo.timestamps,
    judge: demo.judge,
    ...options,
  })
async function judged(signed: Uint8Array, given: Readonly<Record<string, Uint8Array>> = contents) {
  const { signatures } = await validateXades(signed, { judge: demo.judge, now: new Date(), contents: given })
  return signatures[0]!
}
const codeOf = (code: string) => expect.objectContaining({ code })

describe('a signature over a manifest', () => {
  it.each(Object.keys(canonicalisations) as (keyof typeof canonicalisations)[])(
    'is accepted by xmlsec1 with each listed content, and by us: %s',
    async (canonicalisation) => {
      const signed = await sign({ ...terms, canonicalisation })
      const { ok, text } = await xmlsecVerifies([signed], { root: demo.root, contents })
      expect(ok, text).toBe(true)
      expect(text).toContain('Manifests References (ok/all): 2/2')
      expect(text).toContain('SignedInfo References (ok/all): 2/2')
      const report = await judged(signed)
      expect(report).toMatchObject({ indication: 'valid', level: 'B-B', findings: [] })
      expect(report.coverage.references).toMatchObject([
        { inManifest: false, content: { state: 'passed' } },
        { uri: 'plan.txt', inManifest: true, mimeType: 'text/plain', content: { state: 'passed' } },
        { uri: 'budget.txt', inManifest: true, mimeType: 'text/csv', content: { state: 'passed' } },
      ])
    },
  )

  it('tells a content that was changed from one that is missing, as xmlsec1 counts them', async () => {
    const signed = await sign(terms)
    const other = { ...contents, 'budget.txt': plan }
    const { text } = await xmlsecVerifies([signed], { root: demo.root, contents: other })
    expect(text).toContain('Manifests References (ok/all): 1/2')
    expect(await judged(signed, other)).toMatchObject({ indication: 'invalid' })
    expect(await judged(signed, { 'plan.txt': plan })).toMatchObject({ indication: 'indeterminate' })
    const forged = Buffer.from(signed.toString().replace('URI="budget.txt"', 'URI="plan.txt"'))
    expect(await judged(forged)).toMatchObject({ indication: 'invalid' })
  })

  it('has content timestamps and levels over the list, and is made by a key elsewhere', async () => {
    const report = await judged(await sign({ ...terms, contentTimestamp: true, level: 'B-LT' }))
    expect(report).toMatchObject({ indication: 'valid', level: 'B-LT', findings: [] })
    expect(report.timestamps.map(({ kind, indication }) => [kind, indication])).toEqual([
      ['content', 'valid'],
      ['signature', 'valid'],
    ])
    const signer = await demo.signer()
    const prepared = prepareXades(plan, signer.certificate, { now: new Date(), ...terms })
    const secret = Buffer.alloc(32, 1)
    const state = openState(sealState(prepared.state, secret), secret)
    expect((await judged(completeXades(state, await signer.sign(prepared)))).integrity.content.state).toBe('passed')
  })

  it('is refused inside a document, and where an archive timestamp would not cover what is listed', async () => {
    await expect(sign({ manifest: true }, Buffer.from('<a/>'))).rejects.toThrow(codeOf('xades.manifest-needs-detached'))
    await expect(sign({ ...terms, level: 'B-LTA' })).rejects.toThrow(codeOf('xades.manifest-no-archive'))
  })
})

describe('a list that is not followed', () => {
  const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('base64')
  const listed = (uri: string, digest: string, type = '') =>
    `<ds:Reference${type === '' ? '' : ` Type="${type}"`} URI="${uri}">` +
    '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>' +
    `<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`
  const manifest = (id: string, list: string) => `<ds:Manifest xmlns:ds="${DS}" Id="${id}">${list}</ds:Manifest>`
  const inner = manifest('inner', listed('plan.txt', sha256('another')))

  it.each([
    ['inside another', listed('#inner', sha256(inner))],
    ['outside the document', listed('plan.txt', sha256(plan), `${DS}Manifest`)],
  ])('%s leaves the signature open, whatever it lists', async (_what, entry) => {
    const document = Buffer.from(`<dossier>${manifest('list', entry)}${inner}<note></note></dossier>`)
    const report = await judged(await sign({ target: { id: 'list' } }, document))
    expect(report).toMatchObject({ indication: 'indeterminate', integrity: { content: { state: 'not-checked' } } })
    expect(report.findings).toContainEqual(codeOf('xml.manifest-unread'))
    expect(report.coverage.references).toMatchObject([
      { inManifest: false, content: { state: 'passed' } },
      { inManifest: true, content: { state: 'not-checked' } },
    ])
  })
})
