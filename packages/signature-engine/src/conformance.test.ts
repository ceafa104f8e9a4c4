// The engine's conformance in one table: every format at every level with every kind of key is accepted by our own
// validator and by a third-party program.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyKind } from '@chancela/testkit/demo-pki'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import { signCades, validateCades } from './cades/index.ts'
import { readSignedData } from './cms/signed-data.ts'
import { type DemoSigners, keyKinds } from './cms/test-support/demo-signers.ts'
import { demoSignersOfToday } from './cms/test-support/demo-signers-of-today.ts'
import { opensslVerifies } from './cms/test-support/openssl-cms.ts'
import { signingAlgorithm } from './crypto/signing-algorithm.ts'
import type { DigestSigner } from './keys/digest-signer.ts'
import { signPades, validatePades } from './pades/index.ts'
import { signedParts } from './pades/test-support/signed-parts.ts'
import { streamPdf } from './pdf/test-support/sample-pdfs.ts'
import type { SignatureLevel, ValidationReport } from './report/report.ts'
import { signXades, validateXades } from './xades/index.ts'
import { order } from './xades/test-support/orders.ts'
import { xmlsecVerifies } from './xades/test-support/xmlsec.ts'

type Level = Exclude<SignatureLevel, 'none'>

const etsi: readonly Level[] = ['B-B', 'B-T', 'B-LT', 'B-LTA']
const icpBrasil: readonly Level[] = ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA']

let demo: DemoSigners
let roots: string
const signers = new Map<KeyKind, DigestSigner>()

beforeAll(async () => {
  demo = await demoSignersOfToday()
  roots = demo.pki.trustAnchors()
  for (const kind of keyKinds) signers.set(kind, await demo.signer(kind))
})

interface Format {
  readonly levels: readonly Level[]
  readonly keys: readonly KeyKind[]
  sign(signer: DigestSigner, level: Level): Promise<Uint8Array>
  validate(signed: Uint8Array): Promise<ValidationReport>
  /** Checks it with a third-party program. */
  acceptedOutside(signed: Uint8Array, signer: DigestSigner): Promise<void>
}

const pdf = streamPdf()
const xml = order()
const content = Buffer.from('Contrato de prestação de serviços\n')
const terms = () => ({ now: new Date(), timestamps: demo.timestamps, judge: demo.judge })
const judged = () => ({ now: new Date(), judge: demo.judge })

const formats: Readonly<Record<string, Format>> = {
  'CAdES detached': {
    levels: [...etsi, ...icpBrasil],
    keys: keyKinds,
    sign: (signer, level) =>
      signCades(content, signer, { ...terms(), chain: signer.chain, level, packaging: 'detached' }),
    validate: (signed) => validateCades(signed, { ...judged(), content }),
    acceptedOutside: (signed, signer) => requireCms(signed, signer, content),
  },
  'CAdES attached': {
    levels: [...etsi, ...icpBrasil],
    keys: keyKinds,
    sign: (signer, level) => signCades(content, signer, { ...terms(), chain: signer.chain, level }),
    validate: (signed) => validateCades(signed, judged()),
    acceptedOutside: (signed, signer) => requireCms(signed, signer),
  },
  PAdES: {
    levels: [...etsi, 'AD-RB', 'AD-RT', 'AD-RC', 'AD-RA'],
    keys: keyKinds,
    sign: (signer, level) =>
      signPades(pdf, signer, { ...terms(), chain: signer.chain, level: level as Exclude<Level, 'AD-RV'> }),
    validate: (signed) => validatePades(signed, judged()),
    acceptedOutside: async (signed, signer) => {
      const path = join(temporaryFolder(), 'signed.pdf')
      writeFileSync(path, signed)
      expect((await runTool('qpdf', ['--check', path])).exitCode).toBe(0)
      const [first] = signedParts(signed)
      await requireCms(first!.cms, signer, first!.covered)
      if (!pdfsigKinds.has(kindOf(signer))) return // openssl has checked the signature above.
      expect((await runTool('pdfsig', ['-nocert', path])).text).toContain('Signature is Valid')
    },
  },
  XAdES: {
    levels: [...etsi, ...icpBrasil],
    keys: keyKinds,
    sign: (signer, level) => signXades(xml, signer, { ...terms(), chain: signer.chain, level }),
    validate: (signed) => validateXades(signed, judged()),
    acceptedOutside: async (signed, signer) => {
      if (!xmlsecKinds.has(signer.certificate.publicKey.asymmetricKeyType!)) return requireXml(signed, signer)
      const { ok, text } = await xmlsecVerifies([signed], { root: demo.root })
      expect(ok, text).toBe(true)
    },
  },
}

describe.each(Object.entries(formats))('%s', (name, { levels, keys, sign, validate, acceptedOutside }) => {
  test('under a policy of ICP-Brasil refuses RSA-PSS, which it does not allow', async () => {
    const attempt = Promise.resolve().then(() => sign(signers.get('RSA-PSS')!, 'AD-RB'))
    await expect(attempt).rejects.toMatchObject({ code: 'policy.algorithm-forbidden' })
  })

  describe.each(keys)('with a key of kind %s', (kind) => {
    test.each(levels.filter((level) => isMadeAt(kind, level, name)))(
      'at level %s is accepted by us and by others',
      async (level) => {
        const signer = signers.get(kind)!
        const signed = await sign(signer, level)
        const report = await validate(signed)
        expect(
          report.signatures.map(({ findings }) => findings.filter(({ severity }) => severity === 'error'))[0],
        ).toEqual([])
        expect(report.indication).toBe('valid')
        expect(report.signatures[0]?.level).toBe(level)
        await acceptedOutside(signed, signer)
      },
    )
  })
})

/** ICP-Brasil's policies allow EdDSA outside XML (signature-engine facts C9). */
const ofPolicies: ReadonlySet<KeyKind> = new Set(['RSA-2048', 'RSA-4096', 'P-256', 'P-384', 'Ed25519'])

/** Other keys sign at the lowest and the highest level: those in between add nothing of theirs. */
const isMadeAt = (kind: KeyKind, level: Level, format: string): boolean =>
  level === 'B-B' || level === 'B-LTA' || (ofPolicies.has(kind) && !(kind === 'Ed25519' && format === 'XAdES'))

const kindOf = ({ certificate }: DigestSigner) => certificate.namedCurve ?? certificate.publicKey.asymmetricKeyType!

/** What pdfsig (NSS) verifies in a CMS; xmlsec1 1.2 in XML. */
const pdfsigKinds: ReadonlySet<string> = new Set(['rsa', 'prime256v1', 'secp384r1', 'secp521r1'])
const xmlsecKinds: ReadonlySet<string> = new Set(['rsa', 'ec'])

/** `openssl cms -verify`; openssl 3.0 lacks EdDSA there, so its signed attributes are checked one by one. */
async function requireCms(cms: Uint8Array, signer: DigestSigner, covered?: Uint8Array): Promise<void> {
  if (isEdwards(signer)) return requireEdwards(cms, signer)
  const { ok, text } = await opensslVerifies(cms, { roots, ...(covered && { content: covered }) })
  expect(ok, text).toBe(true)
}

const isEdwards = ({ certificate }: DigestSigner) =>
  certificate.keyType === 'ed25519' || certificate.keyType === 'ed448'

async function requireEdwards(cms: Uint8Array, signer: DigestSigner): Promise<void> {
  const [{ toBeSigned, signature }] = readSignedData(cms).signers as [ReturnType<typeof readSignedData>['signers'][0]]
  await requireSigned(toBeSigned!, signature, signer)
}

/** ds:SignedInfo in the exclusive form that xmllint makes of it, and the value beside it. */
async function requireXml(signed: Uint8Array, signer: DigestSigner): Promise<void> {
  const text = Buffer.from(signed).toString('utf8')
  const [signedInfo] = /<ds:SignedInfo.*?<\/ds:SignedInfo>/s.exec(text)!
  const [, value] = /<ds:SignatureValue[^>]*>([^<]*)</.exec(text)!
  const alone = signedInfo.replace('<ds:SignedInfo', '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"')
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'info.xml'), alone)
  const { ok, stdout } = await runTool('xmllint', ['--exc-c14n', 'info.xml'], { folder })
  expect(ok).toBe(true)
  await requireSigned(stdout, Buffer.from(value!, 'base64'), signer)
}

/** `openssl pkeyutl -verify` over these bytes. */
async function requireSigned(toBeSigned: Uint8Array, signature: Uint8Array, { certificate }: DigestSigner) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'key.pem'), certificate.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(join(folder, 'attributes'), toBeSigned!)
  writeFileSync(join(folder, 'signature'), signature)
  const args = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'attributes']
  const { digest, pss } = signingAlgorithm(certificate.publicKey)
  const salt = ['rsa_padding_mode:pss', `rsa_pss_saltlen:${pss?.saltLength}`].flatMap((option) => ['-pkeyopt', option])
  const options = pss ? ['-digest', digest, ...salt] : []
  const { ok, text } = await openssl([...args, ...options, '-sigfile', 'signature'], { folder })
  expect(ok, text).toBe(true)
}
