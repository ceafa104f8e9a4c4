/** A root of ICP-Brasil. */
export interface OfficialRoot {
  readonly name: string
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string
  readonly notBefore: string
  readonly notAfter: string
  /** Its algorithm. OpenSSL does not know the curve of v7: certificates under it stay indeterminate. */
  readonly algorithm: string
}

/**
 * The roots ITI published for ICP-Brasil, identified by their fingerprints: a certificate with one of these is the
 * root, however it was obtained. Expired ones validate old signatures.
 */
export const officialRoots: readonly OfficialRoot[] = [
  {
    name: 'Autoridade Certificadora Raiz Brasileira',
    fingerprint: '687ea89089309d2cfe107db059fb10d676f45d3283aee056903eea0cf3c188f8',
    notBefore: '2001-11-30T12:58:00Z',
    notAfter: '2011-11-30T23:59:00Z',
    algorithm: 'RSA-SHA1',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v1',
    fingerprint: 'cbd8ed38d4a2d677d453d70dd8890af4f6374cba6299943f1ab3a6936c6fd795',
    notBefore: '2008-07-29T19:17:10Z',
    notAfter: '2021-07-29T19:17:10Z',
    algorithm: 'RSA-SHA1',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v2',
    fingerprint: 'fb47d92a9909fd4fa9bec02737543e1f3514ced747407a8d9cfa397b0915067c',
    notBefore: '2010-06-21T19:04:57Z',
    notAfter: '2023-06-21T19:04:57Z',
    algorithm: 'RSA-SHA512',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v3',
    fingerprint: '1226ebf38af7335ffb346de68840d5652d9be7413a65b989375edac6a7f16172',
    notBefore: '2010-06-21T19:45:40Z',
    notAfter: '2023-06-21T19:45:40Z',
    algorithm: 'ECDSA-SHA512',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v5',
    fingerprint: 'caa53fc6091c6951887c976e378f6ef89aa6377c55d97b6475422b71ed7e9b17',
    notBefore: '2016-03-02T13:01:38Z',
    notAfter: '2029-03-02T23:59:38Z',
    algorithm: 'RSA-SHA512',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v6',
    fingerprint: '3bdb9b509352f1d3d71c2bf64d9a38a4e6cebda27809d77f7ac476cbde6e314a',
    notBefore: '2018-12-28T13:32:03Z',
    notAfter: '2038-12-28T12:00:03Z',
    algorithm: 'Ed448',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v7',
    fingerprint: '5657e70580eb678983f3ed7dfce091d84cae6549389a47fccda8d0e4dc2cf576',
    notBefore: '2018-12-28T13:47:35Z',
    notAfter: '2038-12-28T12:00:35Z',
    algorithm: '1.3.6.1.4.1.44588.2.1',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v10',
    fingerprint: '6e0bff069a26994c15de2c4888cc54af84882e5495b7fbf66be9ccffec7489f6',
    notBefore: '2019-07-01T19:15:59Z',
    notAfter: '2032-07-01T12:00:59Z',
    algorithm: 'RSA-SHA512',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v11',
    fingerprint: '1406710058180fa4081aab3f246f1702429c552a11fa3143b84c88cb3ab8e5e7',
    notBefore: '2019-07-01T19:26:18Z',
    notAfter: '2032-07-01T12:00:18Z',
    algorithm: 'RSA-SHA512',
  },
  {
    name: 'Autoridade Certificadora Raiz Brasileira v12',
    fingerprint: 'd8478e37ce19c690cf657381e68fe600e4e1a042536830f06847e03e554c4b01',
    notBefore: '2024-10-22T14:41:24Z',
    notAfter: '2037-10-22T12:00:24Z',
    algorithm: 'RSA-SHA512',
  },
]
