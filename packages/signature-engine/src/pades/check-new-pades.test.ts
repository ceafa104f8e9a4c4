import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkNewCades } from '../cades/check-new-cades.ts'
import { signCades } from '../cades/sign-cades.ts'
import { keySigner } from '../keys/key-signer.ts'
import { Certificate } from '../x509/certificate.ts'
import { checkNewPades } from './check-new-pades.ts'
import { signPades } from './sign-pades.ts'
import { contractPdf } from './test-support/contract-pdf.ts'
import { openSigningRoom } from './test-support/signing-room.ts'

let room: Awaited<ReturnType<typeof openSigningRoom>>
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

const content = Buffer.from('a content of some words')

/** The two formats, each with how it signs and how it checks. */
const formats = {
  PDF: {
    sign: (level: 'B-B' | 'AD-RB', signer = room.signer) =>
      signPades(contractPdf(), signer, { now: room.clock(), level }),
    check: checkNewPades,
  },
  CAdES: {
    sign: (level: 'B-B' | 'AD-RB', signer = room.signer) => signCades(content, signer, { now: room.clock(), level }),
    check: checkNewCades,
  },
}

const asked = (level: 'B-B' | 'AD-RB') => ({
  certificate: room.signer.certificate,
  chain: room.signer.chain,
  level,
  now: room.clock(),
})

function signerOf(label: string) {
  const issued = room.pki.certificate(label)
  const read = ({ der }: { der: Uint8Array }) => Certificate.read(der)
  const chain = room.pki.chainOf(issued).slice(1).map(read)
  return keySigner({ certificate: read(issued), chain, privateKey: issued.key.privateKey })
}

describe.each(Object.entries(formats))('the check of a new %s signature', (_name, { sign, check }) => {
  test.each(['B-B', 'AD-RB'] as const)('finds nothing wrong with what was asked for: %s', async (level) => {
    expect(check(await sign(level), asked(level))).toEqual([])
  })

  test('finds nothing wrong with a signature of an RSA key', async () => {
    const signer = signerOf('ana-souza')
    const { certificate, chain } = signer
    expect(check(await sign('AD-RB', signer), { ...asked('AD-RB'), certificate, chain })).toEqual([])
  })

  // Every seventh byte: an exhaustive run takes half a minute and finds the same.
  test('refuses a file with one bit changed, wherever that is', async () => {
    const signed = await sign('AD-RB')
    const accepted: number[] = []
    for (let at = 0; at < signed.length; at += 7) {
      signed[at]! ^= 1 << (at % 8)
      if (check(signed, asked('AD-RB')).length === 0) accepted.push(at)
      signed[at]! ^= 1 << (at % 8)
    }
    expect(accepted).toEqual([])
    expect(check(signed, asked('AD-RB'))).toEqual([])
  })

  test('refuses a file that ends early or goes on', async () => {
    const signed = await sign('B-B')
    for (const length of [signed.length - 1, signed.length - 7, signed.length >> 1, 10, 0])
      expect(check(signed.subarray(0, length), asked('B-B'))).not.toEqual([])
    expect(check(Buffer.concat([signed, Buffer.from('\n')]), asked('B-B'))).not.toEqual([])
  })

  test("refuses another certificate's signature, another level and other issuers", async () => {
    const signed = await sign('B-B')
    const { certificate, chain } = signerOf('davi-moreira')
    expect(check(signed, { ...asked('B-B'), certificate })).not.toEqual([])
    expect(check(await sign('B-B', signerOf('davi-moreira')), asked('B-B'))).not.toEqual([])
    expect(check(signed, asked('AD-RB'))).not.toEqual([])
    expect(check(signed, { ...asked('B-B'), chain: chain.slice(1) })).not.toEqual([])
  })
})

test('the check looks at the newest of several signatures in a PDF', async () => {
  const first = await formats.PDF.sign('B-B', signerOf('davi-moreira'))
  const second = await signPades(first, room.signer, { now: room.clock() })
  expect(checkNewPades(second, asked('B-B'))).toEqual([])
  expect(checkNewPades(first, asked('B-B'))).not.toEqual([])
})

test('a PDF without a signature has none to check', () => {
  expect(checkNewPades(contractPdf(), asked('B-B'))).toMatchObject([{ code: 'no-signature' }])
})
