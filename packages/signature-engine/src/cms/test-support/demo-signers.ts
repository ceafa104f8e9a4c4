import {
  addresses,
  cachedKeys,
  type DemoPki,
  type IssuedCertificate,
  type KeyKind,
  type RunningDemoPki,
  startDemoPki,
} from '@chancela/testkit/demo-pki'
import type { SigningDigest } from '../../crypto/signing-algorithm.ts'
import { exchangeOverHttp } from '../../http/exchange.ts'
import { createJudge } from '../../judgement/judge-certificate.ts'
import { keySigner } from '../../keys/key-signer.ts'
import { RevocationSource } from '../../revocation/revocation-source.ts'
import { createTimestampClient } from '../../timestamps/timestamp-client.ts'
import { TrustAnchors } from '../../trust/trust-anchors.ts'
import { Certificate } from '../../x509/certificate.ts'

/** Every kind of key that signs CMS. */
export const keyKinds: readonly KeyKind[] = [
  ...(['RSA-2048', 'RSA-4096', 'RSA-PSS', 'RSA-PSS-SHA384'] as const),
  ...(['P-256', 'P-384', 'P-521', 'brainpoolP384r1', 'Ed25519', 'Ed448'] as const),
]

/** Digests that a key of this kind signs over. */
export const digestsOf = (kind: KeyKind): readonly SigningDigest[] =>
  kind === 'RSA-PSS-SHA384' ? ['sha384'] : ['sha256', 'sha384', 'sha512']

/** A demo PKI of its own, with signers of every kind; it uses the PKI's clock. */
export const startDemoSigners = async (clock: () => Date = () => new Date()): Promise<DemoSigners> =>
  signersUnder(await startDemoPki({ keys: cachedKeys(), clock }))

export type DemoSigners = ReturnType<typeof signersUnder>

export function signersUnder(running: RunningDemoPki) {
  const { pki } = running
  const read = ({ der }: IssuedCertificate) => Certificate.read(der)
  const signerOf = (issued: IssuedCertificate) =>
    keySigner({
      certificate: read(issued),
      // With the root: policies are chosen by it.
      chain: pki.chainOf(issued).slice(1).map(read),
      privateKey: issued.key.privateKey,
    })
  const freshJudge = () =>
    createJudge({
      anchors: TrustAnchors.of([read(pki.certificate('root'))]),
      exchange: exchangeOverHttp,
      revocation: new RevocationSource({ exchange: exchangeOverHttp }),
    })
  return {
    ...running,
    root: read(pki.certificate('root')),
    /** A judge that trusts the demo's root, queries the demo's services and caches the answers. */
    judge: freshJudge(),
    /** One with an empty cache. */
    freshJudge,
    timestamps: createTimestampClient({ authorities: [{ url: addresses(running.baseUrl).timeStamps }] }),
    signerOf,
    /** The signer of this label. */
    holder: (label: string) => signerOf(pki.certificate(label)),
    /** A signer with a good certificate and a key of this kind. */
    signer: async (key: KeyKind = 'RSA-2048') => signerOf(await holderWith(pki, key)),
  }
}

/** A good certificate with a key of this kind; RSA keys, slow to generate, are those of the demo's holders. */
export async function holderWith(pki: DemoPki, key: KeyKind): Promise<IssuedCertificate> {
  const label = rsaHolders[key]
  return label ? pki.certificate(label) : pki.issuePerson({ name: 'Marta Teixeira', cpf: '52998224725' }, { key })
}

const rsaHolders: Partial<Record<KeyKind, string>> = { 'RSA-2048': 'ana-souza', 'RSA-4096': 'carla-nogueira' }
