import { createJudge, type Judge, TrustAnchors } from '@chancela/signature-engine/judgement'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'

export interface DemoSigner {
  readonly signer: DigestSigner
  readonly judge: Judge
  /** The root as PEM, for independent tools. */
  readonly rootPem: string
}

/** A key of the demo PKI with its certificate, and a judge that trusts its root. */
export async function demoSigner(key: 'RSA-2048' | 'P-256' = 'P-256'): Promise<DemoSigner> {
  const clock = () => new Date()
  const pki = await createDemoPki({ baseUrl: 'http://localhost:1', clock, keys: cachedKeys() })
  const issued = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key })
  const read = ({ der }: { der: Uint8Array }) => Certificate.read(der)
  const root = pki.certificate('root')
  return {
    signer: keySigner({
      certificate: read(issued),
      chain: pki.chainOf(issued).slice(1).map(read),
      privateKey: issued.key.privateKey,
    }),
    judge: createJudge({ anchors: TrustAnchors.of([read(root)]) }),
    rootPem: root.x509.toString(),
  }
}
