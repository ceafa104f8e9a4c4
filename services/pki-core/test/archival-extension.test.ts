import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { keySigner } from '@chancela/signature-engine/keys'
import { createTimestampClient } from '@chancela/signature-engine/timestamps'
import { Certificate } from '@chancela/signature-engine/x509'
import { signXades, validateXades } from '@chancela/signature-engine/xades'
import { addresses } from '@chancela/testkit/demo-pki'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedCore } from './test-support/core-world.ts'
import { clock, running } from './test-support/pki.ts'
import { type Client, download, inline, sign } from './test-support/signing.ts'

const { pki, baseUrl } = running
const authority = addresses(baseUrl).timeStamps
const read = ({ der }: { readonly der: Buffer }) => Certificate.read(der)
const judge = createJudge({
  anchors: TrustAnchors.of([read(pki.certificate('root'))]),
  exchange: exchangeOverHttp,
  revocation: new RevocationSource({ exchange: exchangeOverHttp }),
})

/** A diploma, signed for the archive. */
async function archived(): Promise<Buffer> {
  const issued = pki.certificate('ana-souza')
  const chain = pki.chainOf(issued).slice(1).map(read)
  const signer = keySigner({ certificate: read(issued), chain, privateKey: issued.key.privateKey })
  const timestamps = createTimestampClient({ authorities: [{ url: authority }] })
  return signXades(Buffer.from('<diploma/>'), signer, { level: 'AD-RA', now: clock(), timestamps, judge })
}

const extend = ({ json }: Client, request: object) => json('POST', '/api/signature/archival-extension', request)

describe('the extension of an archive signature', () => {
  const open = sharedCore('SQLite', { Signatures: { TimestampAuthority: authority } })
  const without = sharedCore('SQLite')
  let diploma: Buffer
  beforeAll(async () => {
    diploma = await archived()
  })

  test('adds the next timestamp, and the signature stays valid', async () => {
    clock.advance(3_600_000)
    const request = { file: inline('diploma.xml', diploma), returnTimestampModels: true }
    const { status, body } = await extend(open(), request)
    expect(status).toBe(200)
    expect(body).toMatchObject({ extended: true, file: { name: 'diploma.xml', mimeType: 'text/xml' } })
    expect(Date.parse(body.activeTimestampAfter.dateIssued)).toBeGreaterThan(
      Date.parse(body.activeTimestampBefore.dateIssued),
    )
    const report = await validateXades(await download(body.file.url), { judge, now: clock() })
    expect(report.indication).toBe('valid')
    expect(report.signatures[0]!.timestamps.filter(({ kind }) => kind === 'archive')).toHaveLength(2)
  })

  test('leaves a signature alone that is protected for long enough', async () => {
    const { body } = await extend(open(), { file: inline('a.xml', diploma), minActiveTimestampValidityDays: 1 })
    expect(body).toMatchObject({ extended: false, file: null, activeTimestampBefore: null, activeTimestampAfter: null })
    expect(body.daysUntilExpiration).toBeGreaterThan(1)
    const soon = { file: inline('a.xml', diploma), minActiveTimestampValidityDays: body.daysUntilExpiration + 1 }
    expect((await extend(open(), soon)).body.extended).toBe(true)
  })

  test('is refused by name without an authority, for other files, and after a change', async () => {
    const world = open()
    const code = async (client: Client, bytes: Uint8Array) =>
      (await extend(client, { file: inline('a.xml', bytes) })).body.code
    expect(await code(without(), diploma)).toBe('TimestampingUnavailable')
    const basic = await sign(world, 'ana-souza', { file: inline('a.xml', '<a/>') })
    expect(await code(world, basic.bytes)).toBe('InvalidXml')
    expect(await code(world, Buffer.from('no xml'))).toBe('InvalidXml')
    expect(await code(world, Buffer.from(diploma.toString().replace('<diploma', '<diploma a="b"')))).toBe('InvalidXml')
    running.faults.set('tsa', { kind: 'http-500' })
    try {
      expect(await code(world, diploma)).toBe('TimestampingUnavailable')
    } finally {
      running.faults.clear()
    }
  })
})
