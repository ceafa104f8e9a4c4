// Keys, wherever they are: every one is a `DigestSigner`, and every format signs with it.
//
//   const signer = await pkcs12Signer(await readFile('holder.p12'), password)
//   const signer = (await openPkcs11({ module, pin })).signer()
//   const signer = remoteSigner({ certificate, chain, sign: (request) => askTheCloud(request.digest) })
//   const signer = keySigner({ certificate, chain, privateKey })

export { signatureAlgorithms } from '../crypto/algorithms.ts'
export { ecdsaToDer, ecdsaToFixedWidth } from '../crypto/ecdsa-encoding.ts'
export type { DigestSigner, SigningRequest } from './digest-signer.ts'
export { limitSignaturesInFlight } from './in-flight.ts'
export { type KeyPair, keySigner } from './key-signer.ts'
export { isDigestSignedBy } from './known-digest/is-digest-signed-by.ts'
export { requireDigestKey, signDigest } from './known-digest/sign-digest.ts'
export { listPkcs11Certificates, type Pkcs11Certificate, type Pkcs11Shown } from './pkcs11/list-certificates.ts'
export {
  listPkcs11Tokens,
  openPkcs11,
  type Pkcs11Key,
  type Pkcs11Options,
  type Pkcs11Token,
} from './pkcs11/pkcs11-token.ts'
export { signDigestOnToken } from './pkcs11/sign-digest-on-token.ts'
export type { Pkcs11TokenInfo } from './pkcs11/token-info.ts'
export { openPkcs12, type Pkcs12Contents, type Pkcs12Options, pkcs12Signer } from './pkcs12/open-pkcs12.ts'
export { type RemoteKey, remoteSigner } from './remote-signer.ts'
