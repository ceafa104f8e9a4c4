import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { digestsOf, holderWith, keyKinds } from '../cms/test-support/demo-signers.ts'
import { signatureAlgorithms } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { type SigningDigest, signingAlgorithm } from '../crypto/signing-algorithm.ts'
import { isSignedBy } from '../crypto/verify-signature.ts'
import { pemBlocks } from '../der/pem.ts'
import { EngineError } from '../errors/engine-error.ts'
import { Certificate } from '../x509/certificate.ts'
import type { DigestSigner } from './digest-signer.ts'
import { InFlight } from './in-flight.ts'
import { keySigner } from './key-signer.ts'
import { remoteSigner } from './remote-signer.ts'

let pki: DemoPki
beforeAll(async () => {
  pki = (await pkiOfToday()).pki
})

const toSign = Buffer.from('documento')

function sign(signer: DigestSigner, hash?: SigningDigest): Promise<Uint8Array> {
  const algorithm = signingAlgorithm(signer.certificate.publicKey, hash)
  return signer.sign({ toSign, digest: digest(algorithm.digest, toSign), algorithm })
}

const codeOf = (attempt: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(attempt)
    .then(
      () => 'done',
      (error: unknown) => (error instanceof EngineError ? error.code : `escaped: ${error}`),
    )

/** A self-signed certificate by openssl, over keys the demo PKI does not make. */
async function selfSigned(...newkey: string[]) {
  const folder = temporaryFolder()
  const args = ['req', '-x509', '-nodes', '-subj', '/CN=x', '-days', '9', '-keyout', 'key.pem', ...newkey]
  const { ok, text, stdout } = await openssl(args, { folder })
  if (!ok) throw new Error(text)
  const key = await openssl(['pkcs8', '-topk8', '-nocrypt', '-in', 'key.pem'], { folder })
  return {
    certificate: Certificate.read(pemBlocks(stdout.toString(), 'CERTIFICATE')[0]!),
    privateKey: createPrivateKey(key.stdout.toString()),
  }
}

describe('a key in this process', () => {
  test.each(keyKinds)('of kind %s signs', async (kind) => {
    const issued = await holderWith(pki, kind)
    const certificate = Certificate.read(issued.der)
    const signer = keySigner({ certificate, privateKey: issued.key.privateKey })
    for (const hash of [undefined, ...digestsOf(kind)]) {
      const algorithm = signingAlgorithm(certificate.publicKey, hash)
      expect(isSignedBy(certificate.publicKey, algorithm, toSign, await sign(signer, hash))).toBe(true)
    }
  })

  test('signs by openssl’s judgement too', async () => {
    const folder = temporaryFolder()
    const ana = pki.certificate('ana-souza')
    const signature = await sign(keySigner({ certificate: Certificate.read(ana.der), privateKey: ana.key.privateKey }))
    writeFileSync(join(folder, 'signature'), signature)
    writeFileSync(join(folder, 'key.pem'), ana.x509.publicKey.export({ type: 'spki', format: 'pem' }))
    const args = ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature']
    expect((await openssl(args, { input: toSign, folder })).text).toContain('Verified OK')
  })

  test('that is another one than the certificate’s is refused', async () => {
    const [ana, davi] = [pki.certificate('ana-souza'), pki.certificate('davi-moreira')]
    const certificate = Certificate.read(ana.der)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(await codeOf(() => keySigner({ certificate, privateKey }))).toBe('key.does-not-match')
    expect(await codeOf(() => keySigner({ certificate, privateKey: davi.key.privateKey }))).toBe('key.does-not-match')
    expect(await codeOf(() => keySigner({ certificate, privateKey: ana.x509.publicKey }))).toBe('key.not-private')
  })

  test.each([
    ['RSA of 1024 bits', ['-newkey', 'rsa:1024'], 'key.wrong-size'],
    ['a short curve', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-224'], 'key.unsupported'],
    ['a curve that is not known', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:sect283k1'], 'key.unsupported'],
  ])('of the kind %s is refused', async (_what, newkey, code) => {
    const pair = await selfSigned(...newkey)
    expect(await codeOf(() => keySigner(pair))).toBe(code)
  })

  test('that is bound to a digest refuses another one, and what is not PSS', async () => {
    const { der, key } = await holderWith(pki, 'RSA-PSS-SHA384')
    const signer = keySigner({ certificate: Certificate.read(der), privateKey: key.privateKey })
    expect(await codeOf(() => sign(signer, 'sha256'))).toBe('algorithm.unfit')
    for (const name of ['RSA-SHA384', 'RSA-PSS-SHA256'] as const) {
      const request = { toSign, digest: digest('sha384', toSign), algorithm: signatureAlgorithms[name] }
      expect(await codeOf(() => signer.sign(request))).toBe('algorithm.unfit')
    }
  })

  test('signs only with algorithms of its kind, and not after it was closed', async () => {
    const ana = pki.certificate('ana-souza')
    const signer = keySigner({ certificate: Certificate.read(ana.der), privateKey: ana.key.privateKey })
    const algorithm = signatureAlgorithms['ECDSA-SHA256']
    expect(await codeOf(() => signer.sign({ toSign, digest: digest('sha256', toSign), algorithm }))).toBe(
      'algorithm.unfit',
    )
    await signer.close()
    expect(await codeOf(() => sign(signer))).toBe('key.closed')
  })

  test('many signatures wait their turn and all come', async () => {
    const davi = pki.certificate('davi-moreira')
    const signer = keySigner({ certificate: Certificate.read(davi.der), privateKey: davi.key.privateKey })
    expect(await Promise.all(Array.from({ length: 200 }, () => sign(signer)))).toHaveLength(200)
  })
})

describe('operations in flight', () => {
  test('are never more than the bound, in the order they came, whatever fails', async () => {
    const inFlight = new InFlight(3)
    let [running, most] = [0, 0]
    const started: number[] = []
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        inFlight.run(async () => {
          started.push(index)
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
          if (index % 5 === 0) throw new Error('fails')
        }),
      ),
    )
    expect(most).toBe(3)
    expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  })

  test('become more when the bound is raised, and fewer when it is lowered', async () => {
    const inFlight = new InFlight(1)
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let running = 0
    const operation = () => {
      running++
      return gate
    }
    const all = Array.from({ length: 4 }, () => inFlight.run(operation))
    expect(running).toBe(1)
    inFlight.limit = 3
    await new Promise((resolve) => setImmediate(resolve))
    expect(running).toBe(3)
    inFlight.limit = 1
    release()
    await Promise.all(all)
    expect(running).toBe(4)
  })
})

describe('a key elsewhere', () => {
  const ana = () => {
    const { der, key } = pki.certificate('ana-souza')
    return { certificate: Certificate.read(der), privateKey: key.privateKey }
  }

  test('signs through its callback', async () => {
    const { certificate, privateKey } = ana()
    const local = keySigner({ certificate, privateKey })
    const signer = remoteSigner({ certificate, sign: (request) => local.sign(request) })
    expect(isSignedBy(certificate.publicKey, signatureAlgorithms['RSA-SHA256'], toSign, await sign(signer))).toBe(true)
  })

  test('that answers with anything but its signature is not believed', async () => {
    const { certificate } = ana()
    for (const answer of [Buffer.alloc(0), Buffer.alloc(256), Buffer.from('não')]) {
      expect(await codeOf(() => sign(remoteSigner({ certificate, sign: async () => answer })))).toBe('key.bad-answer')
    }
  })

  test('that does not answer in time is told to stop', async () => {
    const { certificate } = ana()
    let told: AbortSignal | undefined
    const signer = remoteSigner({
      certificate,
      timeoutMs: 20,
      sign: (_request, signal) => {
        told = signal
        return new Promise(() => {})
      },
    })
    expect(await codeOf(() => sign(signer))).toBe('key.no-answer')
    expect(told?.aborted).toBe(true)
  })

  test('is given up by the caller’s signal and by closing', async () => {
    const { certificate } = ana()
    const caller = new AbortController()
    let closed = 0
    const signer = remoteSigner({
      certificate,
      signal: caller.signal,
      sign: () => new Promise(() => {}),
      close: async () => {
        closed++
      },
    })
    const byCaller = codeOf(() => sign(signer))
    await new Promise((resolve) => setImmediate(resolve))
    caller.abort()
    expect(await byCaller).toBe('key.aborted')
    const other = remoteSigner({ certificate, sign: () => new Promise(() => {}) })
    const byClosing = codeOf(() => sign(other))
    await new Promise((resolve) => setImmediate(resolve))
    await other.close()
    expect(await byClosing).toBe('key.aborted')
    expect(await codeOf(() => sign(other))).toBe('key.closed')
    await signer.close()
    await signer.close()
    expect(closed).toBe(1)
  })

  test('that fails says why', async () => {
    const { certificate } = ana()
    const failing = remoteSigner({
      certificate,
      sign: () => {
        throw new Error('no credit left')
      },
    })
    const refusal = await sign(failing).catch((error: EngineError) => error)
    expect(refusal).toMatchObject({ code: 'key.failed', details: { reason: 'no credit left' } })
  })
})
