import { type JadesHeader, readHeader } from '../jades/header.ts'
import { fromBase64Url, type Jws, type JwsSignature, readJws } from '../jades/jws.ts'
import { componentsOf, materialIn, tokensOf, type UnsignedComponent } from '../jades/unsigned.ts'
import { policyTitle } from '../policies/policies.ts'
import { inspectCertificate } from './inspect-certificate.ts'
import { tokenOf } from './inspect-cms.ts'
import { inspectCrl, inspectOcsp } from './inspect-revocation.ts'
import { type Inspected, inspected } from './inspected.ts'
import { orNothing } from './or-nothing.ts'

/** A JWS in any serialization: its signatures with what their headers say. */
export function inspectJws(bytes: Uint8Array): Inspected {
  const jws = readJws(bytes)
  const { serialization, signatures } = jws
  const signed = signatures.map((signature, at) => inspectSignature(jws, signature, at))
  return inspected('jws', 'JSON web signature (JWS)', { serialization, signatures: signatures.length }, signed)
}

function inspectSignature(jws: Jws, signature: JwsSignature, at: number): Inspected {
  const header = readHeader(signature, [])
  const components = componentsOf(signature, [])
  const [holder] = header.chain
  return inspected(
    'jws-signature',
    `Signature ${at + 1}: ${holder?.subject.commonName ?? 'certificate not inside'}`,
    {
      algorithm: header.alg,
      type: textOf(signature.header.typ),
      contentType: textOf(signature.header.cty),
      signingTime: header.signingTime,
      policy: header.policy && (policyTitle(oidIn(header.policy.id)) ?? header.policy.id),
      content: contentOf(jws, header),
      sigD: header.signedData?.mechanism,
      files: filesOf(header),
      protectedHeader: Object.keys(signature.header),
      unprotectedHeader: Object.keys(signature.unprotected),
      etsiU: components.map(({ name }) => name),
    },
    [...header.chain.map(inspectCertificate), ...components.flatMap(inspectComponent)],
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const oidIn = (id: string): string => id.replace(/^urn:oid:/, '')

function contentOf({ payload }: Jws, { encoded }: JadesHeader): string | undefined {
  if (payload === undefined) return 'detached'
  const bytes = encoded ? orNothing(() => fromBase64Url(payload)) : Buffer.from(payload)
  return bytes && `attached, ${bytes.length} bytes`
}

const filesOf = ({ signedData }: JadesHeader): string[] | undefined =>
  signedData?.uris.map((uri) => (signedData.hash ? `${uri} by ${signedData.hash.algorithm}` : uri))

/** The timestamps, certificates and revocation data of a component of `etsiU`. */
function inspectComponent(component: UnsignedComponent): Inspected[] {
  const { certificates, evidence } = materialIn([component], [])
  return [
    ...(orNothing(() => tokensOf(component.value)) ?? []).flatMap(tokenOf),
    ...certificates.map(inspectCertificate),
    ...evidence.crls.flatMap((crl) => orNothing(() => inspectCrl(crl)) ?? []),
    ...evidence.ocsps.flatMap((ocsp) => orNothing(() => inspectOcsp(ocsp)) ?? []),
  ]
}
